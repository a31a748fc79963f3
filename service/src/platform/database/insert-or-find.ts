import { setTimeout as sleep } from 'node:timers/promises';
import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { DatabaseUnavailable, isUniqueViolation } from './database-unavailable.ts';

type Insert<Row> = {
  /** What a caller is told who cannot be told the outcome. */
  readonly unknown: Unknown;
  readonly insert: () => Promise<Row | undefined>;
  /** The row as if its insert had just been answered. */
  readonly find: () => Promise<Row | undefined>;
};

type Unknown = {
  readonly message: string;
  /** The ids that were chosen: what was inserted is found by them. */
  readonly members: Readonly<Record<string, string>>;
};

const retryAfterSeconds = 2;
const maxMs = 9_800;

/**
 * Inserts, and when the answer of the commit is lost reads the outcome by the id. A first insert
 * that is still running makes the second one wait, so the same id is never inserted twice.
 */
export const insertOrFind = async <Row extends { readonly inserted: boolean }>({
  unknown,
  insert,
  find,
}: Insert<Row>): Promise<Row | undefined> => {
  const startedAtMs = performance.now();
  try {
    return await insert();
  } catch (error) {
    if (!isUnknown(error)) throw error;
  }
  const findOrInsert = async (): Promise<Row | undefined> => {
    const found = await find();
    if (found) return found;
    const row = await insert().catch(ignoreUniqueViolation);
    return row?.inserted ? row : ((await find()) ?? row);
  };
  try {
    return await within(maxMs - (performance.now() - startedAtMs), findOrInsert());
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? unanswered(unknown) : error;
  }
};

/** A server that keeps one call waiting may keep the next one too. */
const within = async <Value>(ms: number, answer: Promise<Value>): Promise<Value> => {
  const stopping = new AbortController();
  const tooLate = sleep(Math.max(ms, 0), undefined, { signal: stopping.signal }).then(() => {
    throw new DatabaseUnavailable(new Error('no answer in time'), true);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    stopping.abort();
    tooLate.catch(() => undefined);
    answer.catch(() => undefined);
  }
};

const isUnknown = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.isOutcomeUnknown;

const ignoreUniqueViolation = (error: unknown): undefined => {
  if (!isUniqueViolation(error)) throw error;
};

const unanswered = (unknown: Unknown): Failure =>
  new Failure(failures.unavailable, { ...unknown, retryAfterSeconds });
