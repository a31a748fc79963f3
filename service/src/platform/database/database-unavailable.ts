/** The database cannot be reached: callers get 503, workers try again. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`database unavailable: ${(cause as Error).message}`, { cause });
    this.name = 'DatabaseUnavailable';
  }
}

/** SQLSTATE is five characters; socket errors carry another code, and 57P/08 mean the server left. */
export const isConnectionError = (error: unknown): boolean => {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || code.length !== 5) return true;
  return code.startsWith('57P') || code.startsWith('08') || code === '53300';
};

/** PostgreSQL ended this statement so that another could go on: nothing was written, run it again. */
export const isDeadlock = (error: unknown): boolean =>
  ['40001', '40P01'].includes(String((error as { code?: unknown }).code));

/** The statement or its wait for a lock took too long: nothing was written. */
export const isTimeout = (error: unknown): boolean =>
  ['57014', '55P03'].includes(String((error as { code?: unknown }).code));

/** A unique constraint (of this name, if given) refused the row. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean => {
  const refused = error as { code?: string; constraint?: string };
  return refused.code === '23505' && (!constraint || refused.constraint === constraint);
};

/** Another row still needs this one, or this row needs one that is missing. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '23503';
