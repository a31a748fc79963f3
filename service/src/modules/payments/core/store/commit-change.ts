import type { Failure } from '#kernel/failure.ts';
import { cardsValue, isLiveCardRow } from '#modules/cards/index.ts';
import { eventsValue } from '#modules/events/index.ts';
import { postingsValue } from '#modules/ledger/index.ts';
import { casesValue, resolvedCasesValue } from '#modules/operator-cases/index.ts';
import { type Searchable, searchableRow } from '#modules/search/index.ts';
import type { BatchStatement } from '#platform/database/batch-statement.ts';
import { isDeadlock, isUniqueViolation } from '#platform/database/database-unavailable.ts';
import type { Database } from '#platform/database/open-database.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Change } from '../change-payment.ts';
import { type Attempt, findAttempt, type Payment, totalPence } from '../payment.ts';
import { committedPence } from '../shares.ts';
import { attemptToJson } from './attempt-columns.ts';
import { commit, commitResolving, commitSaving, type Written } from './commit.ts';
import { findNextPoll, writeNextPoll } from './next-poll.ts';

/** A transaction is an attempt: a request that no payer has started has none. */
const searchableRows = ({ payment, before, newAttempts, changedAttempts }: Change) => {
  const earlier = new Map(before.attempts.map((attempt) => [attempt.attemptId, attempt]));
  return payment.attempts
    .filter(({ attemptId }) => newAttempts.has(attemptId) || changedAttempts.has(attemptId))
    .flatMap((attempt) => {
      const was = earlier.get(attempt.attemptId);
      return searchableRow(searchable(payment, attempt), was ? searchable(payment, was) : null);
    });
};

const searchable = (payment: Payment, attempt: Attempt): Searchable => ({
  paymentRequestId: payment.paymentRequestId,
  position: attempt.position,
  createdAt: attempt.createdAt,
  status: attempt.status,
  method: attempt.method,
  totalPence: totalPence(attempt),
  institutionId: attempt.method === 'CARD' ? null : attempt.institutionId,
  orderId: payment.orderId,
  names: [
    payment.consumerDetails?.firstName ?? '',
    payment.consumerDetails?.lastName ?? '',
    // The bank reports it later: earlier words keep their position.
    attempt.consumerName ?? '',
    attempt.card?.facts?.lastFourDigits ?? '',
  ],
});

export type CommitValues = Readonly<
  Record<
    | 'changes'
    | 'changedAttempts'
    | 'newAttempts'
    | 'history'
    | 'directory'
    | 'searchable'
    | 'postings'
    | 'cases'
    | 'resolvedCases'
    | 'events'
    | 'cards',
    string
  >
> & { readonly paymentRequestIds: readonly string[]; readonly cardIds: readonly string[] };

/** Names the payment, because several are written together. */
const commitValues = (changes: readonly Change[]): CommitValues => ({
  paymentRequestIds: changes.map(({ payment }) => payment.paymentRequestId),
  cardIds: changes.flatMap((change) => chargedCard(change) ?? []),
  changes: JSON.stringify(changes.map(changeRow)),
  changedAttempts: JSON.stringify(changes.flatMap(changedAttemptRows)),
  newAttempts: JSON.stringify(changes.flatMap(newAttemptRows)),
  history: JSON.stringify(changes.flatMap(historyRows)),
  directory: JSON.stringify(changes.flatMap(directoryRows)),
  searchable: JSON.stringify(changes.flatMap(searchableRows)),
  postings: postingsValue(changes.flatMap(({ postings }) => postings)),
  cases: casesValue(
    changes.flatMap(({ payment, cases }) =>
      cases.map((opened) => ({ resourceId: payment.paymentRequestId, opened })),
    ),
  ),
  resolvedCases: resolvedCasesValue(
    changes.flatMap(({ payment, resolvedCases }) =>
      resolvedCases.map((resolved) => ({ resourceId: payment.paymentRequestId, resolved })),
    ),
  ),
  events: eventsValue(changes.flatMap(({ events }) => events)),
  cards: cardsValue(
    changes.flatMap(({ cards }) => cards.saved),
    changes.flatMap(({ cards }) => cards.detached),
  ),
});

/** The saved card that a new attempt charges. */
const chargedCard = ({ payment, newAttempts }: Change): string | null =>
  payment.attempts.find(({ attemptId }) => newAttempts.has(attemptId))?.card?.cardId ?? null;

const changeRow = (change: Change, item: number) => ({
  item,
  ...rowOf(change),
  charged_card_id: chargedCard(change),
});

const rowOf = ({ payment, before, isVisible, history, newAttempts }: Change) => ({
  payment_request_id: payment.paymentRequestId,
  version: before.version,
  from_status: before.status,
  to_status: payment.status,
  paid_pence: payment.paidPence.toString(),
  committed_pence: committedPence(payment).toString(),
  live_attempt_count: payment.liveAttemptCount,
  event_sequence: payment.eventSequence,
  time_extensions: payment.timeExtensions,
  expires_business_at: payment.expiresBusinessAt,
  now: payment.now,
  starts: newAttempts.size > 0,
  clock_offset_ms: Math.round(payment.clockOffsetMs),
  updated_at: isVisible || history.length > 0 ? payment.now : before.updatedAt,
});

const newAttemptRows = ({ payment, newAttempts }: Change) =>
  payment.attempts
    .filter(({ attemptId }) => newAttempts.has(attemptId))
    .map((attempt) => rowOfAttempt(payment, attempt));

const changedAttemptRows = ({ payment, before, changedAttempts }: Change) =>
  payment.attempts
    .filter(({ attemptId }) => changedAttempts.has(attemptId))
    .map((attempt) =>
      rowOfAttempt(payment, withoutKept(attempt, findAttempt(before, attempt.attemptId))),
    );

/** What is wide and stays as it is, is not sent. */
const withoutKept = (attempt: Attempt, before: Attempt | undefined): Attempt => ({
  ...attempt,
  ...(attempt.railStateEncrypted === before?.railStateEncrypted && { railStateEncrypted: null }),
  ...(attempt.payerEncrypted === before?.payerEncrypted && { payerEncrypted: null }),
});

const rowOfAttempt = ({ paymentRequestId }: Payment, attempt: Attempt) =>
  Object.assign(attemptToJson(attempt), { payment_request_id: paymentRequestId });

const historyRows = ({ payment, history }: Change) =>
  history.map((row, position) => ({
    payment_request_id: payment.paymentRequestId,
    position,
    subject: row.subject,
    subject_id: row.subjectId,
    from_status: row.fromStatus,
    to_status: row.toStatus,
    trigger: row.trigger,
    detail: row.detail,
  }));

const directoryRows = ({ payment, directory }: Change) =>
  directory.map((row) => ({
    payment_request_id: payment.paymentRequestId,
    public_id: row.publicId,
    kind: row.kind,
    target_id: row.targetId,
  }));

const committing: BatchStatement<Change, CommitValues, Written> = {
  statement: commit,
  valuesOf: commitValues,
  keysOf: ({ payment }) => [payment.paymentRequestId],
};

/** Each is written on its own: two cards of one customer would meet in one row. */
const saving: BatchStatement<Change, CommitValues, Written> = {
  statement: commitSaving,
  valuesOf: commitValues,
  keysOf: () => ['a card is saved'],
};

const resolving: BatchStatement<Change, CommitValues, Written> = {
  ...committing,
  statement: commitResolving,
};

const write = (database: Database, change: Change): Promise<Written | undefined> =>
  database.batched(change.payment.tenant, wayToCommit(change), change);

const wayToCommit = ({ cards: { saved, detached }, resolvedCases }: Change) => {
  if (saved.length + detached.length > 0) return saving;
  return resolvedCases.length > 0 ? resolving : committing;
};

/** The endpoints to wake; null when another change won and nothing was written. */
export const commitChange = async (
  database: Database,
  change: Change,
): Promise<readonly string[] | null> => {
  const nextPoll = findNextPoll(change);
  if (nextPoll) return (await writeNextPoll(database, change, nextPoll)) ? [] : null;
  try {
    const written = await write(database, change);
    if (!written) await requireCard(database, change);
    return written?.endpoints ?? null;
  } catch (error) {
    // Another attempt of this request was handed to its bank first.
    if (isUniqueViolation(error, 'attempt_one_pending_or_paid') || isDeadlock(error)) return null;
    throw error;
  }
};

/** A card that was deleted since it was read is charged in no later round either. */
const requireCard = async (database: Database, change: Change): Promise<void> => {
  const { tenant } = change.payment;
  const cardId = chargedCard(change);
  if (cardId === null) return;
  const [card] = await database.tenant(tenant.merchantId, isLiveCardRow, { ...tenant, cardId });
  if (!card) throw cardNotSaved();
};

export const cardNotSaved = (): Failure =>
  badField('paymentMethodId', 'This card is no longer saved: choose another one.');
