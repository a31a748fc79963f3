import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { DatabaseUnavailable, isUniqueViolation } from '#platform/database/database-unavailable.ts';

type Insert<Row> = {
  readonly paymentRequestId: string;
  readonly insert: () => Promise<Row | undefined>;
  /** The row as if its insert had just been answered. */
  readonly find: () => Promise<Row | undefined>;
};

const retryAfterSeconds = 2;

/**
 * Inserts, and when the answer of the commit is lost reads the outcome by the id. A first insert
 * that is still running makes the second one wait, so the same id is never inserted twice.
 */
export const insertOrFind = async <Row extends { readonly inserted: boolean }>({
  paymentRequestId,
  insert,
  find,
}: Insert<Row>): Promise<Row | undefined> => {
  try {
    return await insert();
  } catch (error) {
    if (!isUnknown(error)) throw error;
  }
  try {
    const found = await find();
    if (found) return found;
    const row = await insert().catch(ignoreUniqueViolation);
    return row?.inserted ? row : ((await find()) ?? row);
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? unanswered(paymentRequestId) : error;
  }
};

const isUnknown = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.isOutcomeUnknown;

const ignoreUniqueViolation = (error: unknown): undefined => {
  if (!isUniqueViolation(error)) throw error;
};

const unanswered = (paymentRequestId: string): Failure =>
  new Failure(failures.unavailable, {
    message:
      'It is not known whether the payment was created. Read the status of paymentRequestId ' +
      'before you send it again.',
    retryAfterSeconds,
    members: { paymentRequestId },
  });
