import { type Pence, pence } from '#kernel/pence.ts';
import { saveCard } from '#modules/cards/index.ts';
import type { OperatorCase } from '#modules/operator-cases/index.ts';
import type { Ids } from '#platform/clock.ts';
import type { Secrets } from '#platform/secrets/open-secrets.ts';
import type { CardOutcome, Decline } from '#rails/card-rail.ts';
import {
  type AttemptPatch,
  type Change,
  moveAttempt,
  moveRequest,
} from '../core/change-payment.ts';
import { latePostings, paidByCardPostings, releasedPostings } from '../core/completed-postings.ts';
import { emitOutcome } from '../core/emit-outcome.ts';
import { encryptRailState } from '../core/encrypted-columns.ts';
import {
  type Attempt,
  completedPence,
  hasOrMayGetMoney,
  type Payment,
  savedCardFacts,
  totalPence,
  waitsForPayer,
} from '../core/payment.ts';
import type { AttemptStatus, AttemptTrigger } from '../core/payment-lifecycles.ts';
import { availableFor } from '../core/shares.ts';
import { isAlternativeTo, supersedeUnfinished } from '../core/supersede-unfinished.ts';
import { endIfExpired } from '../requests/end-request.ts';

type Amounts = Pick<Attempt, 'amountPence' | 'tipPence'>;

/** What the processor received, first towards the amount and then as tip (CARD-10). */
const receivedAmounts = (attempt: Amounts, receivedPence: Pence): Amounts => {
  const amountPence = pence(
    receivedPence < attempt.amountPence ? receivedPence : attempt.amountPence,
  );
  return { amountPence, tipPence: pence(receivedPence - amountPence) };
};

/** Less or more than requested was taken in the processor's own dashboard. */
const amountDiffers = (attempt: Attempt, receivedPence: Pence): OperatorCase | null =>
  receivedPence === totalPence(attempt)
    ? null
    : {
        kind: 'AMOUNT_DIFFERS',
        subject: attempt.attemptId,
        description: 'The card processor received another amount than the payment asked for.',
        evidence: {
          requestedPence: Number(totalPence(attempt)),
          receivedPence: Number(receivedPence),
        },
      };

export type CardTools = { readonly ids: Ids; readonly secrets: Secrets };

export type CardReport = {
  /** Why the page is closed, if we closed it. */
  readonly closedBecause?: Extract<
    AttemptTrigger,
    'superseded' | 'abandoned' | 'requestExpired' | 'requestCancelled'
  >;
};

type Of<Kind extends CardOutcome['kind']> = Extract<CardOutcome, { readonly kind: Kind }>;
/** The outcomes that a status reader can see. */
type Visible = Of<'AUTHORIZED' | 'COMPLETED' | 'FAILED' | 'CANCELLED'>;

// A card payment has no code of its own in that list: receivers that read only codes get these.
const isoOf: Readonly<Record<Visible['kind'], readonly [code: string, name: string]>> = {
  AUTHORIZED: ['PDNG', 'Pending'],
  COMPLETED: ['ACSC', 'AcceptedSettlementCompleted'],
  FAILED: ['RJCT', 'Rejected'],
  CANCELLED: ['CANC', 'Cancelled'],
};

const ended = { step: 'ENDED', pollBusinessAt: null } as const;

export const completeCard = (
  tools: CardTools,
  change: Change,
  attempt: Attempt,
  outcome: Of<'COMPLETED'>,
): boolean => {
  const { attemptId, status } = attempt;
  const { amountPence: receivedPence } = outcome.payment;
  const amounts = receivedAmounts(attempt, receivedPence);
  const received = { ...attempt, ...amounts };
  const known = { ...knownOf(tools, change, attempt, outcome), ...amounts };
  const differs = amountDiffers(attempt, receivedPence);
  if (differs) change.cases.push(differs);
  const { tenant, customerId, now } = change.payment;
  if (customerId !== null && attempt.card)
    change.cards = saveCard(tools, tenant, {
      customerId,
      attemptId,
      accountKey: attempt.card.accountKey,
      payment: outcome.payment,
      now,
    });
  if (isTooLate(change.payment, received)) {
    moveAttempt(change, attemptId, 'cancelledAtProcessor', { ...known, ...paidTooLate(change) });
    change.postings.push(...latePostings(change.payment, received, tools.ids.uuid()));
    return true;
  }
  moveAttempt(change, attemptId, status === 'AUTHORIZED' ? 'captured' : 'paidAtProcessor', {
    ...known,
    ...ended,
    isSettled: true,
  });
  supersedeUnfinished(change, isAlternativeTo(attempt));
  if (status === 'AUTHORIZED') release(tools, change, attempt, 'AUTHORISATION_CAPTURED');
  change.postings.push(...paidByCardPostings(change.payment, received, tools.ids.uuid()));
  if (completedPence(change.payment) >= change.payment.amountPence) moveRequest(change, 'paid');
  emitOutcome(tools, change, attemptId);
  endRequest(tools, change);
  return true;
};

const release = (
  { ids }: CardTools,
  change: Change,
  attempt: Attempt,
  reason: Parameters<typeof releasedPostings>[2],
): void => {
  change.postings.push(...releasedPostings(change.payment, attempt, reason, ids.uuid()));
};

/** Paid on a page that was still open when the request was paid or had ended. */
const isTooLate = (payment: Payment, attempt: Attempt): boolean => {
  if (payment.splitsBill)
    return (
      waitsForPayer(attempt) &&
      (payment.status !== 'OPEN' || availableFor(payment, attempt) < attempt.amountPence)
    );
  const isOther = isAlternativeTo(attempt);
  return (
    attempt.status === 'AWAITING_AUTHORIZATION' &&
    (payment.status !== 'OPEN' ||
      payment.attempts.some((other) => isOther(other) && hasOrMayGetMoney(other)))
  );
};

const paidTooLate = ({ payment }: Change) => ({
  step: 'PAID_TOO_LATE' as const,
  pollCount: 0,
  pollBusinessAt: payment.now,
  endedReason: 'PAID_TOO_LATE',
  errorCode: 'PAID_TOO_LATE',
  errorDescription:
    'This was paid by card when the payment had ended another way. The money is being returned.',
});

export const declineCard = (
  tools: CardTools,
  change: Change,
  attempt: Attempt,
  outcome: Of<'FAILED'>,
): boolean => {
  const known = knownOf(tools, change, attempt, outcome);
  return fail(tools, change, attempt, known, outcome.decline);
};

const fail = (
  tools: CardTools,
  change: Change,
  attempt: Attempt,
  known: AttemptPatch,
  { code, description }: Decline,
): boolean => {
  moveAttempt(change, attempt.attemptId, 'declinedAtProcessor', {
    ...known,
    ...ended,
    errorCode: code,
    errorDescription: description,
  });
  emitOutcome(tools, change, attempt.attemptId);
  endRequest(tools, change);
  return true;
};

export const cancelCard = (
  tools: CardTools,
  change: Change,
  attempt: Attempt,
  outcome: Of<'CANCELLED'>,
  { closedBecause }: CardReport,
): boolean => {
  const known = knownOf(tools, change, attempt, outcome);
  const isOnPage = isWithPayer(attempt);
  if (isOnPage && outcome.lastDecline)
    return fail(tools, change, attempt, { ...known, ...rejected }, outcome.lastDecline);
  const [trigger, reason, description] = endingOf(attempt, outcome, closedBecause);
  moveAttempt(change, attempt.attemptId, trigger, {
    ...known,
    ...ended,
    endedReason: reason,
    errorCode: reason,
    errorDescription: description,
  });
  if (attempt.status === 'AUTHORIZED') {
    const hasExpired = trigger === 'authorisationExpired';
    const why = hasExpired ? 'AUTHORISATION_EXPIRED' : 'AUTHORISATION_RELEASED';
    release(tools, change, attempt, why);
  }
  // A payer who left the page is no visible change to the merchant.
  if (!isOnPage) emitOutcome(tools, change, attempt.attemptId);
  endRequest(tools, change);
  return true;
};

const rejected = { isoStatusCode: isoOf.FAILED[0], isoStatusName: isoOf.FAILED[1] };

type Ending = readonly [trigger: AttemptTrigger, reason: string, description: string];

/** On the processor's page, or in front of their bank's question: the payer has not decided yet. */
const isWithPayer = ({ status, step, card }: Attempt): boolean =>
  status === 'AWAITING_AUTHORIZATION' || (step === 'STEP_UP' && card?.initiator === 'CUSTOMER');

const endingOf = (
  attempt: Attempt,
  { reason }: Of<'CANCELLED'>,
  closedBecause: CardReport['closedBecause'],
): Ending => {
  const { status, card } = attempt;
  if (status === 'PENDING' && isWithPayer(attempt)) {
    const [, why, description] = pageEndings[closedBecause ?? 'abandoned'];
    return ['cancelledAtProcessor', why, description];
  }
  const endings: Readonly<Partial<Record<AttemptStatus, Ending>>> = {
    AWAITING_AUTHORIZATION: pageEndings[closedBecause ?? 'abandoned'],
    PENDING: ['cancelledAtProcessor', 'CANCELLED_AT_PROCESSOR', cancelledThere],
    AUTHORIZED: card?.cancelledReasonCode
      ? ['cancelledByMerchant', 'CANCELLED_BY_MERCHANT', cancelledHere(card)]
      : ['cancelledByMerchant', 'CANCELLED_AT_PROCESSOR', cancelledThere],
  };
  if (status === 'AUTHORIZED' && reason === 'AUTHORISATION_EXPIRED')
    return ['authorisationExpired', 'AUTHORISATION_EXPIRED', ranOut];
  return endings[status] ?? pageEndings.abandoned;
};

const ranOut =
  'The authorisation ran out before the payment was captured. The money is free for the customer again.';
const cancelledThere = 'The payment was cancelled at the card processor. No money has been taken.';
const cancelledHere = (card: NonNullable<Attempt['card']>): string => {
  const { cancelledReasonCode: code, cancelledReasonDescription: description } = card;
  const why = description ?? (code === 'Other' ? null : code);
  return why === null
    ? 'The authorisation was released.'
    : `The authorisation was released: ${why}.`;
};

const pageEndings: Readonly<Record<NonNullable<CardReport['closedBecause']>, Ending>> = {
  superseded: ['superseded', 'SUPERSEDED', 'Another way to pay was chosen.'],
  abandoned: ['abandoned', 'NOT_APPROVED_IN_TIME', 'The payment was not finished in time.'],
  requestExpired: [
    'requestExpired',
    'REQUEST_EXPIRED',
    'The payment request expired before the payment was finished.',
  ],
  requestCancelled: ['requestCancelled', 'REQUEST_CANCELLED', 'The payment request was cancelled.'],
};

/** A charge ends with its one try; a request with a page waits for the next, or for its end. */
const endRequest = (tools: CardTools, change: Change): void => {
  const { kind, status } = change.payment;
  if (kind === 'CARD_CHARGE' && status === 'OPEN') moveRequest(change, 'chargeEnded');
  else endIfExpired(tools, change);
};

/** What the processor's outcome adds, whatever the status does. */
export const knownOf = (
  { secrets }: CardTools,
  { payment: { now } }: Change,
  attempt: Attempt,
  shown: Visible,
): AttemptPatch => {
  const payment = shown.kind === 'CANCELLED' ? null : shown.payment;
  const { card } = attempt;
  const [isoStatusCode, isoStatusName] = isoOf[shown.kind];
  return {
    railStateEncrypted: encryptRailState(secrets, attempt.attemptId, shown.state),
    railReference: payment?.reference ?? attempt.railReference,
    tracingId: payment?.networkTransactionId ?? attempt.tracingId,
    consumerName: attempt.consumerName ?? payment?.card?.cardholderName ?? null,
    isoStatusCode,
    isoStatusName,
    isoStatusAt: now,
    card: card && {
      ...card,
      facts: payment?.card ? savedCardFacts(payment.card) : card.facts,
      authentication: payment?.authentication ?? card.authentication,
    },
  };
};
