import type { Tenant } from '#kernel/environment.ts';
import type { Ids } from '#platform/clock.ts';
import type { Secrets } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';
import type { BankStatus } from '#rails/bank-rail.ts';
import {
  type AttemptPatch,
  type Change,
  changePayment,
  moveAttempt,
  moveRequest,
  noteAttempt,
  noteHistory,
  recordPoll,
} from '../core/change-payment.ts';
import {
  completedPostings,
  reversedPostings,
  settledPostings,
} from '../core/completed-postings.ts';
import { emitOutcome } from '../core/emit-outcome.ts';
import { payerContext } from '../core/encrypted-columns.ts';
import { type Attempt, completedPence, findAttempt, type Payment } from '../core/payment.ts';
import { endIfExpired } from '../requests/end-request.ts';
import { nextPollAt } from './plan-polls.ts';

/** The meaning of a bank's status for the payment (open banking status codes, BANK-8). */
type Meaning = 'UNDER_WAY' | 'ACCEPTED' | 'SETTLED' | 'REJECTED';

const meanings: ReadonlyMap<string, Meaning> = new Map(
  Object.entries({
    RCVD: 'UNDER_WAY',
    PDNG: 'UNDER_WAY',
    ACTC: 'UNDER_WAY',
    PATC: 'UNDER_WAY',
    ACCP: 'UNDER_WAY',
    ACFC: 'UNDER_WAY',
    ACSP: 'ACCEPTED',
    ACWC: 'ACCEPTED',
    ACSC: 'SETTLED',
    ACWP: 'SETTLED',
    ACCC: 'SETTLED',
    RJCT: 'REJECTED',
    BLCK: 'REJECTED',
    CANC: 'REJECTED',
  }),
);

/** A code of no standard changes nothing: the bank is polled again, and its log line names the code. */
export const meaningOf = ({
  isoCode,
}: Partial<BankStatus> & Pick<BankStatus, 'isoCode'>): Meaning =>
  meanings.get(isoCode) ?? 'UNDER_WAY';

// Later statuses win over earlier ones; a late report must not turn the payment back.
const ranks = [
  'RCVD',
  'PDNG',
  'ACTC',
  'PATC',
  'ACCP',
  'ACFC',
  'ACSP',
  'ACWC',
  'ACSC',
  'ACWP',
  'ACCC',
];
const lastRank = ranks.length;

const rankOf = (isoCode: string | null): number => {
  if (isoCode === null) return -1;
  return meanings.get(isoCode) === 'REJECTED' ? lastRank : ranks.indexOf(isoCode);
};

export const isNewer = (reported: string, known: string | null): boolean =>
  rankOf(reported) > rankOf(known);

/** Polling ends after these; a bank that still changes its mind has to report it. */
export const isFinalStatus = (isoCode: string): boolean =>
  ['ACCC', 'RJCT', 'BLCK', 'CANC'].includes(isoCode);

/**
 * Browser return, bank notification and poll all end here (BANK-5). The first report of a status
 * has its effect; an equal or older one changes nothing but the time of the next poll.
 */
export const applyBankStatus = (
  tools: { readonly ids: Ids; readonly secrets: Secrets },
  payment: Payment,
  change: Change,
  attempt: Attempt,
  status: BankStatus,
): void => {
  recordPoll(change, attempt.attemptId, {
    pollCount: attempt.pollCount + 1,
    pollBusinessAt: nextPoll(payment, attempt, status),
  });
  if (!isNewer(status.isoCode, attempt.isoStatusCode)) return;
  noteAttempt(change, attempt.attemptId, {
    isoStatusCode: status.isoCode,
    isoStatusName: status.isoName,
    isoStatusAt: businessTimeOf(payment, status.changedAt),
    ...payerOf(tools.secrets, attempt, status),
  });
  if (attempt.status === 'PENDING') decidePending(tools, payment, change, attempt, status);
  else if (attempt.status === 'COMPLETED') decideCompleted(tools, change, attempt, status);
};

const decidePending = (
  tools: { readonly ids: Ids },
  payment: Payment,
  change: Change,
  attempt: Attempt,
  status: BankStatus,
): void => {
  const meaning = meaningOf(status);
  if (meaning === 'REJECTED') {
    reject(tools, change, attempt, status);
    return;
  }
  const isCompleted =
    meaning === 'SETTLED' || (meaning === 'ACCEPTED' && !payment.merchant.completedAtSettlement);
  if (!isCompleted) return;
  moveAttempt(change, attempt.attemptId, 'accepted', { isSettled: meaning === 'SETTLED' });
  change.postings.push(...completedPostings(payment, attempt, tools.ids.uuid()));
  if (meaning === 'SETTLED')
    change.postings.push(...settledPostings(payment, attempt, tools.ids.uuid()));
  if (completedPence(change.payment) >= payment.amountPence) moveRequest(change, 'paid');
  emitOutcome(tools, change, attempt.attemptId);
  endIfExpired(tools, change);
};

const reject = (
  tools: { readonly ids: Ids },
  change: Change,
  attempt: Attempt,
  status: BankStatus,
): void => {
  moveAttempt(change, attempt.attemptId, 'rejected', rejection(attempt, status));
  emitOutcome(tools, change, attempt.attemptId);
  endIfExpired(tools, change);
};

const decideCompleted = (
  tools: { readonly ids: Ids },
  change: Change,
  attempt: Attempt,
  status: BankStatus,
): void => {
  const meaning = meaningOf(status);
  if (meaning === 'REJECTED') reverseAttempt(tools, change, attempt, rejection(attempt, status));
  else if (meaning === 'SETTLED' && !attempt.isSettled) {
    noteAttempt(change, attempt.attemptId, { isSettled: true });
    change.postings.push(...settledPostings(change.payment, attempt, tools.ids.uuid()));
  }
  // Some receivers wait for ACSC: a changed status is emitted again, with the next sequence.
  emitOutcome(tools, change, attempt.attemptId, { isRepeat: meaning !== 'REJECTED' });
};

/** What was COMPLETED is taken back: by its bank's status, or by a debit of the account. */
const reverseAttempt = (
  tools: { readonly ids: Ids },
  change: Change,
  attempt: Attempt,
  patch: AttemptPatch,
): void => {
  moveAttempt(change, attempt.attemptId, 'reversed', patch);
  change.postings.push(...reversedPostings(change.payment, attempt, tools.ids.uuid()));
  if (change.payment.status === 'PAID') moveRequest(change, 'paymentReversed');
};

const rejection = (attempt: Attempt, status: BankStatus) => ({
  step: 'ENDED' as const,
  isSettled: false,
  errorCode: status.errorCode ?? status.isoCode,
  ...whereMoneyIs(attempt, status),
});

/** A bank reports real time; the tenant's clock may be ahead of it (TIME-2). Nothing is after now. */
const businessTimeOf = ({ now, clockOffsetMs }: Payment, changedAt: Date | null): Date =>
  changedAt
    ? new Date(Math.min(changedAt.getTime() + Math.round(clockOffsetMs), now.getTime()))
    : now;

/** Only for a payment that the bank never accepted is it certain that no money moved. */
const whereMoneyIs = (attempt: Attempt, status: BankStatus) => {
  if (status.isoCode === 'BLCK') return { errorDescription: blocked, endedReason: 'BLOCKED' };
  if (attempt.status === 'COMPLETED')
    return { errorDescription: takenBack, endedReason: 'REVERSED' };
  return {
    errorDescription:
      status.errorDescription ?? 'The bank rejected the payment. No money has been taken.',
  };
};

const blocked =
  'The bank has stopped this payment. The money may have left the account: ask the bank before paying again.';
const takenBack =
  'The bank accepted this payment and then took it back. It returns what left the account.';

/** Follows the status after this report, which may be older than the recorded one. */
const nextPoll = (payment: Payment, attempt: Attempt, status: BankStatus): Date | null => {
  const isVisible = isNewer(status.isoCode, attempt.isoStatusCode);
  const isoCode = isVisible ? status.isoCode : (attempt.isoStatusCode ?? status.isoCode);
  if (isFinalStatus(isoCode) || !attempt.submittedAt) return null;
  // By the bank's word, or because its credit was seen (MONEY-6).
  const isSettled = attempt.isSettled || meaningOf({ ...status, isoCode }) === 'SETTLED';
  return nextPollAt(attempt.submittedAt, payment.now, isSettled);
};

const payerOf = (secrets: Secrets, attempt: Attempt, status: BankStatus) =>
  status.payer && !attempt.payerEncrypted
    ? {
        payerEncrypted: secrets.encrypt(
          JSON.stringify(status.payer),
          payerContext(attempt.attemptId),
        ),
        consumerName: status.payer.name,
      }
    : {};

/** WAITS: its bank has not accepted it yet. NOT_PAID: it failed, or was never for this account. */
export type CreditEffect = 'SETTLED' | 'WAITS' | 'NOT_PAID';

type CreditedAttempt = { readonly paymentRequestId: string; readonly attemptId: string };

/**
 * Its money was seen on the collecting account: from now on it can be paid out (MONEY-6). Settled
 * before, by the bank's status or by the same credit, it stays as it is.
 */
export const settleByCredit = async (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'>,
  tenant: Tenant,
  { paymentRequestId, attemptId }: CreditedAttempt,
): Promise<CreditEffect> => {
  let effect: CreditEffect = 'NOT_PAID';
  await changePayment(tools, tenant, paymentRequestId, (payment, change) => {
    const attempt = findAttempt(payment, attemptId);
    effect = 'NOT_PAID';
    if (attempt?.settlesTo !== 'COLLECTING_ACCOUNT') return false;
    if (attempt.status === 'PENDING') effect = 'WAITS';
    if (attempt.status !== 'COMPLETED') return false;
    effect = 'SETTLED';
    if (attempt.isSettled) return false;
    noteAttempt(change, attemptId, { isSettled: true });
    noteHistory(change, attempt, 'creditSeen', null);
    change.postings.push(...settledPostings(payment, attempt, tools.ids.uuid()));
    return true;
  });
  return effect;
};

/** ENDED: it is reversed now, or was none that counts before. */
type DebitEffect = 'ENDED' | 'WAITS';

/**
 * Its bank has taken the money from the collecting account again. That is its word, whatever status
 * it reported: the merchant cannot be paid what is not there.
 */
export const reverseByDebit = async (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'>,
  tenant: Tenant,
  { paymentRequestId, attemptId }: CreditedAttempt,
): Promise<DebitEffect> => {
  let effect: DebitEffect = 'ENDED';
  await changePayment(tools, tenant, paymentRequestId, (payment, change) => {
    const attempt = findAttempt(payment, attemptId);
    effect = attempt?.status === 'PENDING' ? 'WAITS' : 'ENDED';
    if (attempt?.settlesTo !== 'COLLECTING_ACCOUNT' || attempt.status !== 'COMPLETED') return false;
    reverseAttempt(tools, change, attempt, {
      ...{ step: 'ENDED', isSettled: false, endedReason: 'REVERSED', pollBusinessAt: null },
      ...{ isoStatusCode: 'RJCT', isoStatusName: 'Rejected', isoStatusAt: payment.now },
      ...{ errorCode: 'RJCT', errorDescription: takenBack },
    });
    emitOutcome(tools, change, attemptId);
    return true;
  });
  return effect;
};
