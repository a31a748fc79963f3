import { limits } from '@florin/contract';
import type { Refusal } from '#rails/bank-rail.ts';
import type { CardOutcome } from '#rails/card-rail.ts';
import { captureTime } from '../../core/attempt-card.ts';
import { isLive } from '../../core/attempt-lifecycle.ts';
import { authorisedPostings } from '../../core/completed-postings.ts';
import {
  type Change,
  moveAttempt,
  noteAttempt,
  noteHistory,
  recordPoll,
} from '../../core/draft-change.ts';
import { emitOutcome } from '../../core/emit-outcome.ts';
import { resealRailState, sealRailState } from '../../core/open-rail-state.ts';
import type { Attempt } from '../../core/payment.ts';
import {
  type CardReport,
  type CardTools,
  cancelCard,
  completeCard,
  declineCard,
  knownOf,
} from './complete-card.ts';
import { longOpen } from './long-open.ts';
import { nextCaptureTry, nextCardPoll, nextPagePoll } from './next-card-poll.ts';

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
  { state }: Of<'PENDING' | 'AUTHORIZED'>,
): boolean => pollAgain(change, attempt, resealRailState(tools.secrets, attempt, state));

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
    railStateEncrypted: sealRailState(tools.secrets, attempt.attemptId, state),
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
