import type {
  CheckoutCardFields,
  CheckoutCardOffer,
  CheckoutView,
  PageOperator,
  SandboxScenario,
} from '@florin/contract';
import type { Payee } from '#modules/merchants/index.ts';
import {
  type Attempt,
  currentAttempt,
  decidingAttempt,
  isPaid,
  isPastExpiry,
  isTry,
  latestAttempt,
  type Payment,
  standingAttempt,
  waitsForPayer,
  whyNotStart,
  withoutOwnShare,
} from '#modules/payments/index.ts';
import type { Pictures } from '#platform/pictures.ts';
import type { Institution } from '#rails/bank-rail.ts';
import type { AmountQuery } from '../input/amount-query.ts';
import { commonView } from './common-view.ts';
import type { MerchantReturn } from './merchant-return.ts';
import { atCardPageView, failedView, paidView, startedView, waitingView } from './paid-view.ts';
import { startView } from './start-view.ts';

export type ViewSources = {
  readonly payment: Payment;
  readonly payee: Pick<Payee, 'account'>;
  readonly institutions: readonly Institution[];
  /** The bank with which the merchant's customer paid last, when the customer is known. */
  readonly customersBankId: string | null;
  /** Null when this payment cannot be made by card. */
  readonly card: CheckoutCardOffer | null;
  /** Of the card payment that waits for this payer, where its fields stand in our page. */
  readonly cardFields: CheckoutCardFields | null;
  /** Of a saved card whose bank asks this payer, where it may ask in our page. */
  readonly challengeFrames?: readonly string[] | null;
  readonly returnTo: MerchantReturn | null;
  readonly qrSvg: (text: string) => string;
  readonly publicUrl: string;
  readonly operator: PageOperator;
  readonly pictures: Pictures;
  /** No mail server: mails are stored for the merchant's developer to read. */
  readonly catchesMail: boolean;
  readonly formToken: string;
  readonly scenarios: readonly SandboxScenario[];
  /** False when no mail can be sent. */
  readonly offersReceipts: boolean;
  readonly query: PageQuery;
};

/** What the payer requests, by the address of the page. */
export type PageQuery = {
  readonly locale: string;
  /** Sandbox only: the outcome at the simulated bank. */
  readonly scenario: string | null;
  readonly search: string;
  /** The payer keeps reading: no automatic return. */
  readonly stays: boolean;
  /** A receipt by mail was just requested. */
  readonly receiptRequested: boolean;
  /** And is mailed to nobody. */
  readonly receiptCaught: boolean;
  readonly institutionId: string | null;
  /** The payer has read why the last attempt failed and wants another. */
  readonly tryAgain: boolean;
  readonly amount: AmountQuery | null;
  /** The amount step again, with the earlier choices. */
  readonly requiresAmount: boolean;
  readonly way: 'CARD' | null;
  /** The payment that this browser returned from a bank with. */
  readonly paymentIdempotencyId: string | null;
  readonly userAgent: string;
  /** The payer's id of a browser, for this payment request only. */
  readonly payerId: string | null;
  /** This browser showed the page before the payment was made. */
  readonly hasOpened: boolean;
  /** The paid page has led it back to the shop. */
  readonly hasReturned: boolean;
  /** This browser went to a bank for this payment. */
  readonly hasStarted: boolean;
  /** The bank that a link or a client's page chose for the payer. */
  readonly selectedBankId: string | null;
  /** What this device remembers after the payer ticked the box. */
  readonly rememberedBankId: string | null;
  /** The page is inside an app of the merchant; with how paying works first, or without. */
  readonly embed: { readonly showsSteps: boolean } | null;
};

/** Of a payer who opens the page. */
export const arriving: PageQuery = {
  locale: 'en',
  scenario: null,
  search: '',
  stays: false,
  receiptRequested: false,
  receiptCaught: false,
  institutionId: null,
  tryAgain: false,
  amount: null,
  requiresAmount: false,
  way: null,
  paymentIdempotencyId: null,
  userAgent: '',
  payerId: null,
  selectedBankId: null,
  embed: null,
  rememberedBankId: null,
  hasOpened: false,
  hasReturned: false,
  hasStarted: false,
};

/** Which page a payment shows, state by state. */
export const checkoutView = (sources: ViewSources): CheckoutView => {
  const { payment } = sources;
  if (payment.status === 'CANCELLED') return { ...commonView(sources), page: 'CANCELLED' };
  return payment.splitsBill ? splitBillView(sources) : wholeBillView(sources);
};

const wholeBillView = (sources: ViewSources): CheckoutView => {
  const { payment, query } = sources;
  const latest = latestAttempt(payment);
  if (payment.status === 'PAID') return wholeBillPaidView(sources);
  const atCardPage = attemptAtCardPage(payment, query);
  if (atCardPage) return atCardPageView(sources, atCardPage);
  const underWay = payment.attempts.find(({ status }) => status === 'PENDING');
  if (underWay) return waitingView(sources, underWay);
  if (latest?.status === 'FAILED' && wantsOutcome(query)) return failedView(sources, latest);
  const stopped = stoppedView(sources);
  if (stopped) return stopped;
  const why = whyNotStart(payment);
  const started = why === null ? currentAttempt(payment) : undefined;
  if (started?.status === 'AWAITING_AUTHORIZATION' && isArrival(query, started))
    return startedView(sources, started);
  if (why === null || !latest) return startView(sources, latest);
  return failedView(sources, payment.attempts.findLast(isTry) ?? latest);
};

/**
 * On a split bill every payer sees their own part: the payment they return from a bank with, or the
 * one that their browser started.
 */
const splitBillView = (sources: ViewSources): CheckoutView => {
  const { payment, query } = sources;
  const named = namedAttempt(payment, query);
  const own = ownAttempt(payment, query);
  const atCardPage = attemptAtCardPage(payment, query);
  if (atCardPage) return atCardPageView(sources, atCardPage);
  if (own?.status === 'PENDING' && !query.tryAgain) return waitingView(sources, own);
  if (named && isPaid(named) && !query.tryAgain) return paidView(sources, named);
  if (named?.status === 'FAILED' && wantsOutcome(query)) return failedView(sources, named);
  if (payment.status === 'PAID') return billPaidView(sources, own);
  const stopped = stoppedView(sources);
  if (stopped) return stopped;
  const why = whyNotStart(withoutOwnShare(payment, query.payerId));
  return why === null || why === 'UNDER_WAY'
    ? startView(sources, own)
    : { ...commonView(sources), page: 'EXPIRED' };
};

/** Nothing can be started any more, or at the moment. */
const stoppedView = (sources: ViewSources): CheckoutView | null => {
  const { payment } = sources;
  if (isOver(payment)) return { ...commonView(sources), page: 'EXPIRED' };
  const { splitsBill, merchant, attempts } = payment;
  const isSuspended = splitsBill ? merchant.isSuspended : whyNotStart(payment) === 'SUSPENDED';
  const isUnfinished = attempts.some(({ status }) => status === 'AWAITING_AUTHORIZATION');
  return isSuspended ? { ...commonView(sources), page: 'SUSPENDED', isUnfinished } : null;
};

const wholeBillPaidView = (sources: ViewSources): CheckoutView =>
  isPayers(sources)
    ? paidView(sources, lastCompleted(sources.payment))
    : { ...paidBeforeView(sources), returnTo: null };

/** Known by its cookie, or by the payment that the way back from a bank names. */
const isPayers = ({ payment, query }: ViewSources): boolean => {
  const named = namedAttempt(payment, query);
  return query.hasOpened || (named !== undefined && isPaid(named));
};

const billPaidView = (sources: ViewSources, own: Attempt | undefined): CheckoutView =>
  own && isPaid(own) ? paidView(sources, own) : paidBeforeView(sources);

const paidBeforeView = (sources: ViewSources): CheckoutView => {
  const last = lastCompleted(sources.payment);
  return {
    ...commonView(sources, sources.payment.splitsBill ? undefined : last),
    page: 'BILL_PAID',
    paidAt: (last.isoStatusAt ?? last.updatedAt).toISOString(),
  };
};

const namedAttempt = (payment: Payment, query: PageQuery): Attempt | undefined => {
  const named = payment.attempts.find(
    ({ paymentIdempotencyId }) => paymentIdempotencyId === query.paymentIdempotencyId,
  );
  return named && standingAttempt(payment, named);
};

/** The card payment that waits for this payer. */
export const attemptAtCardPage = (payment: Payment, query: PageQuery): Attempt | undefined => {
  if (!payment.splitsBill) return payment.attempts.find(waitsForPayer);
  const own = ownAttempt(payment, query);
  return own && waitsForPayer(own) ? own : undefined;
};

/** The payment that this page is about. */
export const ownAttempt = (payment: Payment, query: PageQuery): Attempt | undefined => {
  if (!payment.splitsBill) return decidingAttempt(payment);
  const named = namedAttempt(payment, query);
  if (named) return named;
  const own = payment.attempts.findLast(
    ({ applicationUserId }) => query.payerId !== null && applicationUserId === query.payerId,
  );
  return own && standingAttempt(payment, own);
};

const lastCompleted = (payment: Payment): Attempt => {
  const completed = payment.attempts.findLast(isPaid);
  if (!completed) throw new Error('a paid request has no completed attempt');
  return completed;
};

const wantsOutcome = ({ tryAgain, institutionId }: PageQuery): boolean =>
  !tryAgain && institutionId === null;

/** Opened, or gone back to from the bank: the way there names it, so "back" does too. */
const isArrival = (query: PageQuery, { institutionId }: Attempt): boolean => {
  const isBack = query.hasStarted && query.institutionId === institutionId;
  const { tryAgain, search, way, amount, requiresAmount } = query;
  const hasChosen = tryAgain || search || way || amount || requiresAmount;
  return !hasChosen && (query.institutionId === null || isBack);
};

const isOver = (payment: Payment): boolean => payment.status === 'EXPIRED' || isPastExpiry(payment);
