import type { Failure } from '#kernel/failure.ts';
import { isLiveCardRow } from '#modules/cards/index.ts';
import type { BatchStatement } from '#platform/database/batch-statement.ts';
import { isDeadlock, isUniqueViolation } from '#platform/database/database-unavailable.ts';
import type { Database } from '#platform/database/open-database.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Change } from '../draft-change.ts';
import { commit, commitSaving, type Written } from './commit.ts';
import { type CommitValues, chargedCard, commitValues } from './commit-values.ts';
import { findNextPoll, writeNextPoll } from './write-next-poll.ts';

const committing: BatchStatement<Change, CommitValues, Written> = {
  statement: commit,
  valuesOf: commitValues,
  keysOf: ({ payment }) => [payment.paymentRequestId],
};

/** What there is to deliver; null when another change won and nothing was written. */
export const commitChange = async (
  database: Database,
  change: Change,
): Promise<Announced | null> => {
  const nextPoll = findNextPoll(change);
  if (nextPoll) return (await writeNextPoll(database, change, nextPoll)) ? nothing : null;
  try {
    const written = await write(database, change);
    if (!written) await requireCard(database, change);
    return written ?? null;
  } catch (error) {
    // Another attempt of this request was handed to its bank first.
    if (isUniqueViolation(error, 'attempt_one_submitted') || isDeadlock(error)) return null;
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

export type Announced = Pick<Written, 'endpoints' | 'claimed'>;

const nothing: Announced = { endpoints: [], claimed: null };

/** Each is written on its own: two cards of one customer would meet in one row. */
const saving: BatchStatement<Change, CommitValues, Written> = {
  statement: commitSaving,
  valuesOf: commitValues,
  keysOf: () => ['a card is saved'],
};

const write = (database: Database, change: Change): Promise<Written | undefined> => {
  const { saved, detached } = change.cards;
  const savesCard = saved.length + detached.length > 0;
  return database.batched(change.payment.tenant, savesCard ? saving : committing, change);
};
