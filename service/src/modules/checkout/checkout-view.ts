import type { CheckoutFrame, CheckoutView } from '@florin/contract';
import {
  type Attempt,
  canExtend,
  isLive,
  isPastExpiry,
  latestAttempt,
  type Payment,
  paymentUrl,
  whyNotStart,
} from '#modules/payments/index.ts';
import { attemptView, bankViews, summaryView } from './view-parts.ts';
import type { PageQuery, ViewSources } from './view-sources.ts';

const slowAfterMs = 20_000;
const returnInSeconds = 8;

/** Which page a payment shows, state by state. */
export const checkoutView = (sources: ViewSources): CheckoutView => {
  const { payment, query } = sources;
  const latest = latestAttempt(payment);
  const common = commonView(sources);
  if (payment.status === 'CANCELLED') return { ...common, page: 'CANCELLED' };
  if (payment.status === 'PAID') return resultView(sources, 'PAID');
  if (payment.attempts.some(({ status }) => status === 'PENDING')) return waitingView(sources);
  if (latest?.status === 'FAILED' && !query.tryAgain && query.institutionId === null)
    return resultView(sources, 'FAILED');
  if (payment.status === 'EXPIRED' || isPastExpiry(payment)) return { ...common, page: 'EXPIRED' };
  if (whyNotStart(payment) !== null)
    return payment.attempts.some(({ status }) => isLive(status))
      ? waitingView(sources)
      : resultView(sources, 'FAILED');
  return startView(sources);
};

const commonView = (sources: ViewSources) => ({
  frame: frameView(sources),
  summary: summaryView(sources, canExtend(sources.payment) ? sources.formToken : null),
  returnTo: sources.returnTo,
});

const frameView = ({ payment, operatorName, query, scenarios }: ViewSources): CheckoutFrame => ({
  locale: query.locale,
  environment: payment.tenant.environment,
  paymentRequestId: payment.paymentRequestId,
  merchantName: payment.merchant.name,
  // The name that every merchant's first store is given says nothing to a payer.
  storeName: payment.store.locationName === 'DEFAULT' ? null : payment.store.locationName,
  storeAddress: payment.store.address === '' ? null : payment.store.address,
  avatarUrl: payment.merchant.avatarUrl,
  accentColour: payment.merchant.accentColour,
  operatorName,
  version: shownVersion(payment),
  ...(payment.tenant.environment === 'SANDBOX' ? { scenarios } : {}),
});

/** Changes with what a page may show, and stays while a bank is only asked again. */
const shownVersion = ({ updatedAt, eventSequence }: Payment): string =>
  `${updatedAt.getTime()}.${eventSequence}`;

const startView = (sources: ViewSources): CheckoutView => {
  const { payment, query } = sources;
  const banks = bankViews(sources);
  const chosen = banks.find(({ id }) => id === (query.institutionId ?? payment.institutionId));
  const common = commonView(sources);
  const asked = query.institutionId !== null || postsItself(payment, query);
  if (chosen?.isAvailable && asked)
    return {
      ...common,
      page: 'REVIEW',
      bank: chosen,
      formToken: sources.formToken,
      postsItself: postsItself(payment, query),
    };
  const latest = latestAttempt(payment);
  const isUnfinished = latest?.status === 'AWAITING_AUTHORIZATION';
  const link = paymentUrl(sources.publicUrl, payment.paymentRequestId);
  return {
    ...common,
    page: 'CHOOSE_BANK',
    banks,
    search: query.search,
    unfinished: latest && isUnfinished ? attemptView(sources, latest) : null,
    lastFailure: lastFailureOf(payment),
    lastFailureCode: latest?.errorCode ?? null,
    paymentUrl: link,
    qrSvg: sources.qrSvg(link),
  };
};

/** Once only: a payer who comes back from the bank is not sent there again. */
const postsItself = (payment: Payment, query: PageQuery): boolean =>
  payment.autoRedirects && query.institutionId === null && payment.attempts.length === 0;

/** Told only when the payer has reason to wonder: not when they chose another bank themselves. */
const lastFailureOf = (payment: Payment): string | null => {
  const latest = latestAttempt(payment);
  const isTold = latest?.status === 'FAILED' || latest?.endedReason === 'NOT_APPROVED_IN_TIME';
  const wasDeclined = latest?.status === 'CANCELLED' && latest.errorDescription !== null;
  return isTold || wasDeclined ? (latest?.errorDescription ?? null) : null;
};

const waitingView = (sources: ViewSources): CheckoutView => {
  const { payment } = sources;
  const attempt =
    payment.attempts.find(({ status }) => status === 'PENDING') ?? latestAttempt(payment);
  if (!attempt) throw new Error('nothing to wait for');
  const waitedMs = payment.now.getTime() - (attempt.submittedAt ?? attempt.createdAt).getTime();
  return {
    ...commonView(sources),
    page: 'WAITING',
    attempt: attemptView(sources, attempt),
    isSlow: waitedMs > slowAfterMs,
    refreshInSeconds: waitedMs > slowAfterMs ? 15 : 2,
  };
};

const resultView = (sources: ViewSources, outcome: 'PAID' | 'FAILED'): CheckoutView => {
  const { payment } = sources;
  const attempt =
    outcome === 'PAID'
      ? payment.attempts.findLast(({ status }) => status === 'COMPLETED')
      : latestAttempt(payment);
  if (!attempt) throw new Error('no attempt made this result');
  return {
    ...commonView(sources),
    page: 'RESULT',
    outcome,
    attempt: attemptView(sources, attempt),
    reason: outcome === 'FAILED' ? attempt.errorDescription : null,
    reasonCode: outcome === 'FAILED' && movedIn(attempt) === 'NO' ? attempt.errorCode : null,
    moneyMoved: outcome === 'PAID' ? 'YES' : movedIn(attempt),
    canRetry: outcome === 'FAILED' && movedIn(attempt) !== 'YES' && whyNotStart(payment) === null,
    paidAt: outcome === 'PAID' ? (attempt.isoStatusAt ?? attempt.updatedAt).toISOString() : null,
    returnInSeconds: sources.returnTo && outcome === 'PAID' ? returnInSeconds : null,
  };
};

/** A bank returns what it takes back, and keeps what it blocks; what it never accepted has not left. */
const movedIn = ({ endedReason }: Attempt): 'NO' | 'YES' | 'RETURNED' => {
  if (endedReason === 'BLOCKED') return 'YES';
  return endedReason === 'TAKEN_BACK' ? 'RETURNED' : 'NO';
};
