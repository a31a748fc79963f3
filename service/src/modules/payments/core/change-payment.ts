import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { CardDraft, Detachment } from '#modules/cards/index.ts';
import type { EventDraft } from '#modules/events/index.ts';
import type { Posting } from '#modules/ledger/index.ts';
import type { OperatorCase, ResolvedCase } from '#modules/operator-cases/index.ts';
import type { Uses } from '#platform/tools.ts';
import { type Attempt, completedPence, type Payment } from './payment.ts';
import {
  type AttemptTrigger,
  attemptLifecycle,
  isLive,
  type RequestTrigger,
  requestLifecycle,
} from './payment-lifecycles.ts';
import { partsOfShare } from './shares.ts';
import { commitChange } from './store/commit-change.ts';
import { loadPayment } from './store/load-payment.ts';
import { findNextPoll } from './store/next-poll.ts';

type HistoryRow = {
  readonly subject: 'REQUEST' | 'ATTEMPT';
  readonly subjectId: string;
  readonly fromStatus: string | null;
  readonly toStatus: string;
  readonly trigger: string;
  readonly detail: string | null;
};

type DirectoryRow = {
  readonly publicId: string;
  readonly kind: 'ATTEMPT' | 'BANK_STATE';
  readonly targetId: string;
};

/** What may change in an attempt without a new status. */
export type AttemptNote =
  | 'captureStarted'
  | 'captureRefused'
  | 'cancelStarted'
  | 'cancelRefused'
  | 'refundedLate'
  | 'lateRefundFailed'
  | 'creditSeen'
  | 'fundsConfirmed'
  | 'refundedAtProcessor'
  | 'refundAtProcessorFailed'
  | 'outcomeRecordedByOperator'
  | 'disputed'
  | 'disputeWon'
  | 'disputeLost';

/** What one statement will write. `payment` is the payment as it will be. */
export type Change = {
  payment: Payment;
  /** False when only a poll was recorded: that is no visible change. */
  isVisible: boolean;
  readonly before: Payment;
  readonly changedAttempts: Set<string>;
  readonly newAttempts: Set<string>;
  readonly history: HistoryRow[];
  readonly postings: Posting[];
  /** What only a person can resolve, opened by the same statement. */
  readonly cases: OperatorCase[];
  /** What is settled by the same statement. */
  readonly resolvedCases: ResolvedCase[];
  readonly events: EventDraft[];
  readonly directory: DirectoryRow[];
  /** What happens to the card that the processor stores. */
  cards: { readonly saved: readonly CardDraft[]; readonly detached: readonly Detachment[] };
};

export const draftChange = (payment: Payment): Change => ({
  payment,
  isVisible: false,
  before: payment,
  changedAttempts: new Set(),
  newAttempts: new Set(),
  history: [],
  postings: [],
  cases: [],
  resolvedCases: [],
  events: [],
  directory: [],
  cards: { saved: [], detached: [] },
});

export type AttemptPatch = Partial<Omit<Attempt, 'attemptId' | 'status'>>;

/** Changes details of an attempt, not its status. */
export const noteAttempt = (change: Change, attemptId: string, patch: AttemptPatch): void => {
  replaceAttempt(change, attemptId, (attempt) => ({ ...attempt, ...patch }));
};

/** Records a poll and the time of the next one: no visible change. */
export const recordPoll = (
  change: Change,
  attemptId: string,
  patch: Pick<
    AttemptPatch,
    'pollCount' | 'pollBusinessAt' | 'railStateEncrypted' | 'operatorAlertedAt'
  >,
): void => {
  changeAttempt(change, attemptId, (attempt) => ({ ...attempt, ...patch }));
};

/** Moves an attempt along its table; an unknown step is refused. */
export const moveAttempt = (
  change: Change,
  attemptId: string,
  trigger: AttemptTrigger,
  patch: AttemptPatch = {},
): void => {
  replaceAttempt(change, attemptId, (attempt) => {
    const status = attemptLifecycle.next(attempt.status, trigger);
    if (!status) throw new Failure(failures.invalidState);
    change.history.push({
      subject: 'ATTEMPT',
      subjectId: attemptId,
      fromStatus: attempt.status,
      toStatus: status,
      trigger,
      detail: patch.errorDescription ?? patch.endedReason ?? patch.isoStatusCode ?? null,
    });
    const parts =
      status === 'COMPLETED'
        ? partsOfShare(change.payment, { ...attempt, ...patch })
        : attempt.parts;
    return { ...attempt, ...patch, parts, status };
  });
};

/** Writes down what happened to an attempt and left its status as it was. */
export const noteHistory = (
  change: Change,
  { attemptId, status }: Attempt,
  trigger: AttemptNote,
  detail: string | null,
): void => {
  change.history.push({
    subject: 'ATTEMPT',
    subjectId: attemptId,
    fromStatus: status,
    toStatus: status,
    trigger,
    detail,
  });
};

export const moveRequest = (change: Change, trigger: RequestTrigger): void => {
  const status = requestLifecycle.next(change.payment.status, trigger);
  if (!status) throw new Failure(failures.invalidState);
  change.history.push({
    subject: 'REQUEST',
    subjectId: change.payment.paymentRequestId,
    fromStatus: change.payment.status,
    toStatus: status,
    trigger,
    detail: null,
  });
  change.payment = { ...change.payment, status };
};

export const addAttempt = (change: Change, attempt: Attempt): void => {
  change.newAttempts.add(attempt.attemptId);
  change.history.push({
    subject: 'ATTEMPT',
    subjectId: attempt.attemptId,
    fromStatus: null,
    toStatus: attempt.status,
    trigger: 'started',
    detail: attempt.institutionId,
  });
  setAttempts(change, [...change.payment.attempts, attempt]);
};

const replaceAttempt = (
  change: Change,
  attemptId: string,
  replace: (attempt: Attempt) => Attempt,
): void => {
  change.isVisible = true;
  const { now: updatedAt } = change.payment;
  changeAttempt(change, attemptId, (attempt) => ({ ...replace(attempt), updatedAt }));
};

const changeAttempt = (
  change: Change,
  attemptId: string,
  replace: (attempt: Attempt) => Attempt,
): void => {
  if (!change.newAttempts.has(attemptId)) change.changedAttempts.add(attemptId);
  setAttempts(
    change,
    change.payment.attempts.map((attempt) =>
      attempt.attemptId === attemptId ? replace({ ...attempt, leasedUntil: null }) : attempt,
    ),
  );
};

const setAttempts = (change: Change, attempts: readonly Attempt[]): void => {
  const payment = { ...change.payment, attempts };
  change.payment = {
    ...payment,
    liveAttemptCount: attempts.filter((attempt) => isLive(attempt.status)).length,
    paidPence: completedPence(payment),
  };
};

// Of concurrent changes of a payment one wins each round, so as many rounds suffice as there are
// contenders. The outcome of a call that was made must not be lost.
const maxTries = 50;

type ChangeTools = Uses<'database' | 'wakeDispatcher'>;
type Decide = (payment: Payment, change: Change) => boolean;

/**
 * One read, one decision, one guarded statement. `decide` is pure: it fills the draft and says
 * whether there is anything to write. After a lost race it decides again on the new state.
 */
export const changePayment = async (
  tools: ChangeTools,
  tenant: Tenant,
  paymentRequestId: string,
  decide: Decide,
): Promise<Payment> => {
  for (let round = 0; round < maxTries; round += 1) {
    const payment = await loadPayment(tools.database, tenant, paymentRequestId);
    if (!payment) throw new Failure(failures.notFound);
    const change = draftChange(payment);
    if (!decide(payment, change)) return payment;
    const changed = await write(tools, change);
    if (changed) return changed;
  }
  throw new Failure(failures.unavailable, {
    message: 'The payment keeps changing. Read its status, then retry.',
    retryAfterSeconds: 1,
  });
};

/**
 * The same of a payment that its caller has just read or changed: version and clock guard it, and where
 * it is no longer true, or there is nothing to write, what is true now decides.
 */
export const changeLoaded = async (
  tools: ChangeTools,
  read: Payment,
  decide: Decide,
): Promise<Payment> => {
  const payment = broughtToNow(read);
  const change = draftChange(payment);
  const isWritten = decide(payment, change) && !mayBeHurried(change);
  const changed = isWritten ? await write(tools, change) : null;
  return changed ?? changePayment(tools, read.tenant, read.paymentRequestId, decide);
};

/** A bank may make its next poll due meanwhile. That is no change of the payment; a mere poll compares it. */
const mayBeHurried = (change: Change): boolean =>
  findNextPoll(change) === null &&
  change.before.attempts.some(
    ({ attemptId, step, pollBusinessAt }) =>
      step === 'SUBMITTED' && pollBusinessAt !== null && change.changedAttempts.has(attemptId),
  );

const broughtToNow = (payment: Payment): Payment => {
  const readAtMs = performance.now();
  const passedMs = Math.floor(readAtMs - payment.readAtMs);
  return { ...payment, readAtMs, now: new Date(payment.now.getTime() + passedMs) };
};

const write = async (tools: ChangeTools, change: Change): Promise<Payment | null> => {
  const endpoints = await commitChange(tools.database, change);
  if (!endpoints) return null;
  tools.wakeDispatcher(endpoints);
  return { ...change.payment, version: change.before.version + 1 };
};
