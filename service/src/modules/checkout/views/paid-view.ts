import type { CheckoutReceiptMail, CheckoutView } from '@florin/contract';
import {
  type Attempt,
  availablePence,
  type Payment,
  whyNotStart,
} from '#modules/payments/index.ts';
import { chosenBefore, writtenChoice } from '../input/amount-query.ts';
import { hasAmountStep } from '../input/choose-amount.ts';
import type { ViewSources } from './checkout-view.ts';
import { attemptView, commonView } from './common-view.ts';
import { linkView, waysOf } from './start-view.ts';

const slowAfterMs = 20_000;
const returnInSeconds = 20;

export const paidView = (sources: ViewSources, attempt: Attempt): CheckoutView => {
  const { payment, returnTo } = sources;
  const canPayMore = payment.splitsBill && availablePence(payment) > 0n && canStart(payment);
  return {
    ...commonView(sources, attempt),
    page: 'RESULT',
    outcome: 'PAID',
    attempt: attemptView(sources, attempt),
    reason: null,
    reasonCode: null,
    moneyMoved: 'YES',
    canRetry: false,
    receiptMail: sources.offersReceipts ? receiptMail(sources) : null,
    canPayMore,
    shareBill: canPayMore ? linkView(sources) : null,
    paidAt: (attempt.isoStatusAt ?? attempt.updatedAt).toISOString(),
    returnInSeconds: returnTo && returnsByItself(sources) ? returnInSeconds : null,
  };
};

/** Once: who opens the receipt again wants to read it. */
const returnsByItself = ({ payment, query }: ViewSources): boolean =>
  payment.status === 'PAID' && !query.stays && !query.hasReturned;

const receiptMail = ({ query, formToken, catchesMail }: ViewSources): CheckoutReceiptMail => ({
  isCaught: catchesMail || query.receiptCaught,
  state: query.receiptRequested ? 'ASKED' : 'OPEN',
  formToken,
  email: '',
});

export const failedView = (sources: ViewSources, attempt: Attempt): CheckoutView => {
  const { payment } = sources;
  const moneyMoved = movedIn(attempt);
  const retryWays = waysOf(sources);
  const hasWay = retryWays.bank || retryWays.card;
  return {
    ...commonView(sources, attempt),
    ...chosenOf(payment, attempt),
    page: 'RESULT',
    outcome: 'FAILED',
    attempt: attemptView(sources, attempt),
    reason: attempt.errorDescription,
    reasonCode: reasonCodes.get(attempt.endedReason ?? '') ?? attempt.errorCode,
    moneyMoved,
    canRetry: hasWay && moneyMoved !== 'YES' && canStart(payment),
    retryWays: { ...retryWays, wallets: walletsOf(sources) },
    paidAt: null,
    returnInSeconds: null,
  };
};

/** As the first page offers them: not where a card is saved, nor where to save one is to be agreed to. */
const walletsOf = ({ card }: ViewSources): readonly string[] =>
  card?.saves === null && card.savedCards.length === 0 ? (card.deviceWallets ?? []) : [];

/** Money may have moved for these: the bank's code is of an attempt without. */
const reasonCodes = new Map([
  ['BLOCKED', 'BLCK'],
  ['REVERSED', 'REVERSED'],
]);

/** The choices also apply to another attempt. */
const chosenOf = (payment: Payment, attempt: Attempt) =>
  hasAmountStep(payment) ? { carried: writtenChoice(chosenBefore(payment, attempt)) } : {};

const canStart = (payment: Payment): boolean => whyNotStart(payment) === null;

/**
 * A reversed payment is returned, a blocked one is held by the bank, a never accepted one has not
 * left.
 */
const movedIn = ({ endedReason }: Attempt): 'NO' | 'YES' | 'RETURNED' => {
  if (endedReason === 'BLOCKED') return 'YES';
  return endedReason === 'REVERSED' ? 'RETURNED' : 'NO';
};

export const waitingView = (sources: ViewSources, attempt: Attempt): CheckoutView => {
  const { payment } = sources;
  const waitedMs = payment.now.getTime() - (attempt.submittedAt ?? attempt.createdAt).getTime();
  return {
    ...commonView(sources, attempt),
    page: 'WAITING',
    attempt: attemptView(sources, attempt),
    isSlow: waitedMs > slowAfterMs,
    slowInSeconds: Math.max(0, Math.ceil((slowAfterMs - waitedMs) / 1000)),
    refreshInSeconds: waitedMs > slowAfterMs ? 15 : 2,
  };
};

/** At its bank, here or on the phone that read the code. */
export const startedView = (sources: ViewSources, attempt: Attempt): CheckoutView => {
  const bank = sources.institutions.find(({ id }) => id === attempt.institutionId);
  return {
    ...commonView(sources, attempt),
    ...chosenOf(sources.payment, attempt),
    page: 'STARTED',
    attempt: attemptView(sources, attempt),
    isElsewhere: !sources.query.hasStarted,
    canContinue: bank?.isEnabled ?? false,
    offersCard: waysOf(sources).card,
  };
};

/** The payer is on the processor's page, or in their bank's challenge. */
export const atCardPageView = (sources: ViewSources, attempt: Attempt): CheckoutView => {
  const { cardFields, query } = sources;
  // A link that is opened, or followed by a second browser, shows neither by itself.
  const hasCome = query.way === 'CARD';
  // An app opens outside what is not ours (PAGE-12).
  const challenge = query.embed ? null : (sources.challengeFrames ?? null);
  return {
    ...commonView(sources, attempt),
    ...chosenOf(sources.payment, attempt),
    page: 'AT_CARD_PAGE',
    step: attempt.step === 'STEP_UP' ? 'STEP_UP' : 'CARD_PAGE',
    fields: hasCome ? cardFields : null,
    challenge: hasCome ? challenge : null,
    continuesHere: !hasCome && (cardFields !== null || challenge !== null),
    card: sources.card,
    offersBank: waysOf(sources).bank,
    attempt: attemptView(sources, attempt),
    formToken: sources.formToken,
    lastFailure: attempt.card?.lastDecline?.description ?? null,
    lastFailureCode: attempt.card?.lastDecline?.code ?? null,
  };
};
