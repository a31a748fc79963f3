import { limits } from '@florin/contract';
import { type OperatorCase, openCases } from '#modules/operator-cases/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { Refusal } from '#rails/bank-rail.ts';
import type { CardOutcome, Decline } from '#rails/card-rail.ts';
import {
  type Change,
  changePayment,
  moveAttempt,
  noteAttempt,
  noteHistory,
  recordPoll,
} from '../core/change-payment.ts';
import { authorisedPostings } from '../core/completed-postings.ts';
import { emitOutcome } from '../core/emit-outcome.ts';
import { encryptRailState, reencryptRailState } from '../core/encrypted-columns.ts';
import { type Attempt, captureTime, findAttempt, type Payment } from '../core/payment.ts';
import { isLive } from '../core/payment-lifecycles.ts';
import {
  type CardReport,
  type CardTools,
  cancelCard,
  completeCard,
  declineCard,
  knownOf,
} from './complete-card.ts';
import { nextCaptureTry, nextCardPoll, nextPagePoll } from './next-card-poll.ts';

const openCaseAfterMs = 24 * 60 * 60 * 1000;

/**
 * The processor leaves an attempt open for a day after it should have ended it: the operator gets a case,
 * once. Null: it is not so, or the operator knows.
 */
export const longOpen = ({ payment }: Change, attempt: Attempt): OperatorCase | null => {
  const since = shouldHaveEnded(attempt);
  if (!since || attempt.operatorAlertedAt !== null) return null;
  if (payment.now.getTime() - since.getTime() < openCaseAfterMs) return null;
  const { attemptId, step } = attempt;
  return {
    kind: 'PAYMENT_PENDING_LONG',
    subject: attemptId,
    description: 'The outcome of a card payment is unknown for a day: look at the processor.',
    evidence: { paymentRequestId: payment.paymentRequestId, attemptId, step },
  };
};

/** From then on the processor owes an outcome. */
const shouldHaveEnded = (attempt: Attempt): Date | null => {
  switch (attempt.step) {
    case 'CHARGING':
    case 'STEP_UP':
      return attempt.createdAt;
    case 'AT_PROCESSOR':
      return attempt.authoriseByBusiness;
    case 'AUTHORISED':
      return attempt.card?.authorisationExpiresBusinessAt ?? null;
    case 'CAPTURING':
    case 'CANCELLING':
    case 'PAID_TOO_LATE':
    case 'REFUNDING_LATE':
      return attempt.updatedAt;
    default:
      return null;
  }
};

type Of<Kind extends CardOutcome['kind']> = Extract<CardOutcome, { readonly kind: Kind }>;

/**
 * Applies a processor's outcome to an attempt: nothing when it is equal or older. True when there
 * is something to write.
 */
export const applyCardOutcome = (
  tools: CardTools,
  change: Change,
  attempt: Attempt,
  outcome: CardOutcome | Refusal,
  report: CardReport = {},
): boolean => {
  if (!isLive(attempt.status)) return false;
  switch (outcome.kind) {
    case 'UNKNOWN':
      return pollAgain(change, attempt);
    case 'REFUSED':
      return stayAuthorised(change, attempt, outcome);
    case 'PENDING':
      return isHeld(attempt) ? isEqual(change, attempt) : waitOn(tools, change, attempt, outcome);
    case 'ACTION_REQUIRED':
      return stepUp(tools, change, attempt, outcome);
    case 'AUTHORIZED':
      return authorise(tools, change, attempt, outcome);
    case 'COMPLETED':
      return completeCard(tools, change, attempt, outcome);
    case 'FAILED':
      return isHeld(attempt)
        ? isEqual(change, attempt)
        : declineCard(tools, change, attempt, outcome);
    case 'CANCELLED':
      return cancelCard(tools, change, attempt, outcome, report);
  }
};

const isHeld = ({ status }: Attempt): boolean => status === 'AUTHORIZED';

const pollAgain = (
  change: Change,
  attempt: Attempt,
  railStateEncrypted?: Buffer | null,
): boolean => {
  const opened = longOpen(change, attempt);
  if (opened) change.cases.push(opened);
  recordPoll(change, attempt.attemptId, {
    ...(opened && { operatorAlertedAt: change.payment.now }),
    ...(railStateEncrypted && { railStateEncrypted }),
    pollCount: attempt.pollCount + 1,
    pollBusinessAt: nextPoll(change, attempt),
  });
  return true;
};

/** Nothing has changed: a poll that was due is planned again. */
const isEqual = (change: Change, attempt: Attempt): boolean => {
  const { now } = change.payment;
  const isDue = attempt.pollBusinessAt !== null && attempt.pollBusinessAt <= now;
  return isDue && pollAgain(change, attempt);
};

/** An authorisation is polled when it should have expired; the processor says whether it has. */
const nextPoll = ({ payment }: Change, attempt: Attempt): Date => {
  if (attempt.step === 'AT_PROCESSOR') return nextPagePoll(payment, attempt.pollCount);
  const next = nextCardPoll(attempt.step, attempt.pollCount, payment.now);
  const end = attempt.step === 'AUTHORISED' && attempt.card?.authorisationExpiresBusinessAt;
  return end && end > next ? end : next;
};

const waitOn = (
  tools: CardTools,
  change: Change,
  attempt: Attempt,
  outcome: Of<'PENDING' | 'AUTHORIZED'>,
): boolean => {
  if (outcome.kind === 'PENDING') noteDecline(change, attempt, outcome.lastDecline);
  return pollAgain(change, attempt, reencryptRailState(tools.secrets, attempt, outcome.state));
};

/** The page on which the card was tried takes another: ours says so beside it. */
const noteDecline = (change: Change, attempt: Attempt, decline: Decline | null): void => {
  const { card } = attempt;
  if (!card || (decline?.code ?? null) === (card.lastDecline?.code ?? null)) return;
  // None: another card is being tried, which may be taken.
  const lastDecline = decline && { code: decline.code, description: decline.description };
  noteAttempt(change, attempt.attemptId, { card: { ...card, lastDecline } });
};

const stayAuthorised = (change: Change, attempt: Attempt, { description }: Refusal): boolean => {
  const { attemptId, card, step } = attempt;
  if (!card || (step !== 'CAPTURING' && step !== 'CANCELLING')) return false;
  const { now } = change.payment;
  const isCapture = step === 'CAPTURING';
  noteHistory(change, attempt, isCapture ? 'captureRefused' : 'cancelRefused', description);
  const capturesItself = isCapture && card.captureBusinessAt !== null;
  noteAttempt(change, attemptId, {
    step: 'AUTHORISED',
    pollCount: attempt.pollCount + 1,
    pollBusinessAt: nextPoll(change, { ...attempt, step: 'AUTHORISED' }),
    card: {
      ...card,
      captureBusinessAt: capturesItself
        ? nextCaptureTry(attempt.pollCount, now)
        : card.captureBusinessAt,
      cancelledReasonCode: null,
      cancelledReasonDescription: null,
    },
  });
  return true;
};

/** An absent payer cannot act: the attempt is ended at the next poll. */
const stepUp = (
  tools: CardTools,
  change: Change,
  attempt: Attempt,
  { state }: Of<'ACTION_REQUIRED'>,
): boolean => {
  if (attempt.step !== 'CHARGING') return isEqual(change, attempt);
  const { now } = change.payment;
  const openForMs = attempt.card?.initiator === 'CUSTOMER' ? limits.authorisationOpenMs : 0;
  noteAttempt(change, attempt.attemptId, {
    step: 'STEP_UP',
    railStateEncrypted: encryptRailState(tools.secrets, attempt.attemptId, state),
    pollCount: 0,
    authoriseByBusiness: new Date(now.getTime() + openForMs),
    pollBusinessAt: nextCardPoll('STEP_UP', 0, now),
  });
  return true;
};

const authorise = (
  tools: CardTools,
  change: Change,
  attempt: Attempt,
  outcome: Of<'AUTHORIZED'>,
): boolean => {
  const { card } = attempt;
  if (attempt.status !== 'PENDING' || !card) return isEqual(change, attempt);
  // The processor captures by itself and has not done so yet.
  if (card.captureType === 'AUTO_CAPTURE') return waitOn(tools, change, attempt, outcome);
  const { now, clockOffsetMs } = change.payment;
  const businessTime = (real: Date) => new Date(real.getTime() + clockOffsetMs);
  const expires = businessTime(outcome.expiresAt);
  const since = outcome.payment.at ? businessTime(outcome.payment.at) : now;
  const known = knownOf(tools, change, attempt, outcome);
  moveAttempt(change, attempt.attemptId, 'authorised', {
    ...known,
    step: 'AUTHORISED',
    pollCount: 0,
    pollBusinessAt: expires,
    card: {
      ...(known.card ?? card),
      authorisationExpiresBusinessAt: expires,
      expirySource: outcome.expirySource,
      captureBusinessAt:
        card.captureType === 'CAPTURE_BEFORE_EXPIRY' ? captureTime(since, expires) : null,
    },
  });
  change.postings.push(...authorisedPostings(change.payment, attempt, tools.ids.uuid()));
  emitOutcome(tools, change, attempt.attemptId);
  return true;
};

export type RecordTools = Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'>;

/**
 * A processor's report about an attempt, from its reply, its event, a poll or a page: the first
 * report of a state has its effect, an equal or older one has none.
 */
export const recordCardOutcome = async (
  tools: RecordTools,
  payment: Pick<Payment, 'tenant' | 'paymentRequestId'>,
  attemptId: string,
  outcome: CardOutcome | Refusal,
  report: CardReport = {},
): Promise<Payment> => {
  let contradicted: Attempt | null = null;
  const after = await changePayment(
    tools,
    payment.tenant,
    payment.paymentRequestId,
    (current, change) => {
      const attempt = findAttempt(current, attemptId);
      contradicted = attempt && isContradicted(attempt, outcome) ? attempt : null;
      if (attempt?.method !== 'CARD' || contradicted) return false;
      return applyCardOutcome(tools, change, attempt, outcome, report);
    },
  );
  if (contradicted) await openContradiction(tools, payment, contradicted, outcome);
  return after;
};

/** The processor has money for an attempt that we ended without it: not by our doing. */
const isContradicted = ({ status, step }: Attempt, { kind }: CardOutcome | Refusal): boolean =>
  (status === 'FAILED' || status === 'CANCELLED') &&
  step === 'ENDED' &&
  (kind === 'COMPLETED' || kind === 'AUTHORIZED');

const openContradiction = (
  tools: RecordTools,
  { tenant, paymentRequestId }: Pick<Payment, 'tenant' | 'paymentRequestId'>,
  { attemptId, status }: Attempt,
  { kind }: CardOutcome | Refusal,
): Promise<void> =>
  openCases(tools, [
    {
      tenant,
      kind: 'PROCESSOR_CONTRADICTION',
      subject: attemptId,
      description:
        'The card processor holds money for an attempt that has ended: compare the books with it.',
      evidence: { paymentRequestId, attemptId, status, processorReports: kind },
    },
  ]);
