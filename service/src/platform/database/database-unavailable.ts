import pg from 'pg';
import { findPrimary } from './find-primary.ts';

/** The database cannot be reached or cannot write: callers get 503, workers try again. */
export class DatabaseUnavailable extends Error {
  /** The statement may have been committed although no answer came. */
  readonly isOutcomeUnknown: boolean;

  constructor(cause: unknown, isOutcomeUnknown = isConnectionError(cause)) {
    super(`database unavailable: ${(cause as Error).message}`, { cause });
    this.name = 'DatabaseUnavailable';
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

/** The merchant is in another cell: a caller is led there, work for it is done there. */
export class MerchantElsewhere extends DatabaseUnavailable {
  /** Of the cells that may have it. */
  readonly addresses: readonly string[];
  /** By which a cell says that it knows no more than this one; null: it is in the only one of these. */
  readonly unknownStatus: 401 | 404 | null;
  readonly onFound: (address: string, status: number) => void;

  constructor(
    addresses: readonly string[],
    unknownStatus: MerchantElsewhere['unknownStatus'] = null,
    onFound: MerchantElsewhere['onFound'] = () => undefined,
  ) {
    super(new Error('the merchant is in another cell'), false);
    this.name = 'MerchantElsewhere';
    this.addresses = addresses;
    this.unknownStatus = unknownStatus;
    this.onFound = onFound;
  }
}

/** The merchant is on its way to another cell (service/migrations/0004_access.sql). */
const moving = 'FL001';
const elsewhere = 'FL002';

/** The merchant is in another cell, or nobody knows yet after a restore: its rows are not for this one. */
export const isElsewhere = (error: unknown): boolean =>
  error instanceof MerchantElsewhere ||
  (error instanceof DatabaseUnavailable && sqlStateOf(error.cause) === moving);

/** Only the server's own answers have a severity; EPIPE would pass for an SQLSTATE. */
const sqlStateOf = (error: unknown): string | null => {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && typeof severity === 'string' ? code : null;
};

/** The connection is of no more use: it is lost, or the server leaves or became read-only. */
export const isConnectionError = (error: unknown): boolean => {
  const code = sqlStateOf(error);
  return code === null || /^(57P|08)/.test(code) || ['53300', readOnly].includes(code);
};

const readOnly = '25006';

/** The server has no space, memory or time left, or may not write: nothing was written. */
const isOverloaded = (error: unknown): boolean =>
  /^53/.test(sqlStateOf(error) ?? '') || sqlStateOf(error) === moving || isTimeout(error);

/** The error for callers: DatabaseUnavailable when they can only wait. */
export const toUnavailable = (error: unknown): unknown => {
  if (sqlStateOf(error) === elsewhere)
    return new MerchantElsewhere([(error as { readonly detail: string }).detail]);
  return isConnectionError(error) || isOverloaded(error)
    ? new DatabaseUnavailable(error, isConnectionError(error) && !isRefusal(error))
    : error;
};

/** The server refused to start the statement. */
const isRefusal = (error: unknown): boolean =>
  ['53300', readOnly].includes(sqlStateOf(error) ?? '');

/** PostgreSQL ended this statement so that another could go on: nothing was written, run it again. */
export const isDeadlock = (error: unknown): boolean =>
  ['40001', '40P01'].includes(String((error as { code?: unknown }).code));

/** The statement or its wait for a lock took too long: nothing was written. */
export const isTimeout = (error: unknown): boolean => {
  const answer = error instanceof DatabaseUnavailable ? error.cause : error;
  return ['57014', '55P03'].includes(sqlStateOf(answer) ?? '');
};

/** A unique constraint (of this name, if given) refused the row. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean => {
  const refused = error as { code?: string; constraint?: string };
  return refused.code === '23505' && (!constraint || refused.constraint === constraint);
};

/** Another row still needs this one, or this row needs one that is missing. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '23503';

const connectTimeoutMs = 10_000;

/** Throws when the database, or the network to it, refuses the connection. */
export const tryConnection = async (databaseUrl: string): Promise<void> => {
  const connectionString = await findPrimary(databaseUrl);
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs });
  await client.connect();
  await client.end();
};

const retryOn =
  (isMet: (error: unknown) => boolean) =>
  async <Value>(maxTries: number, run: () => Promise<Value>): Promise<Value> => {
    for (let tries = 1; ; tries += 1)
      try {
        return await run();
      } catch (error) {
        if (tries >= maxTries || !isMet(error)) throw error;
      }
  };

/** Another statement took what is unique: run again, it finds what is left. */
export const retryTaken = retryOn((error) => isUniqueViolation(error));

/** PostgreSQL ends one of two statements in a deadlock, with nothing written: that one is run again. */
export const retryDeadlock = <Value>(run: () => Promise<Value>): Promise<Value> =>
  retryOn(isDeadlock)(10, run);
