/** How long to wait before the next attempt; null: this was the last. */
export const planRetry = (failed: FailedAttempt): number | null => {
  const { remainingMs } = failed;
  if (remainingMs <= finalSpreadMs) return null;
  const nominalMs = Math.min(delayMsMax, firstDelayMs * growth ** (failed.attempt - 1));
  const delayMs = nominalMs * (1 - jitter + 2 * jitter * failed.jitter);
  const requestedMs = Math.min(failed.retryAfterMs ?? 0, retryAfterMsMax);
  const waitMs = Math.round(Math.max(delayMs, requestedMs));
  if (waitMs <= remainingMs - finalSpreadMs) return waitMs;
  const spreadMs = failed.spread * (finalSpreadMs - finalMarginMs);
  const finalMs = remainingMs - finalMarginMs - spreadMs;
  return Math.round(Math.max(finalMs, Math.min(requestedMs, remainingMs)));
};

const firstDelayMs = 5_000;
const growth = 3;
const delayMsMax = 4 * 60 * 60 * 1000;
const jitter = 0.2;
const retryAfterMsMax = 60 * 60 * 1000;
/**
 * The last attempt is planned somewhere in the last quarter of an hour, to meet the end of an
 * outage.
 */
export const finalSpreadMs = 15 * 60 * 1000;
/** Not at the very end: a claim a moment late would be too late. */
export const finalMarginMs = 60 * 1000;

export type FailedAttempt = {
  /** From 1. */
  readonly attempt: number;
  /** Until the delivery is given up. */
  readonly remainingMs: number;
  /** The receiver's retry-after. */
  readonly retryAfterMs: number | null;
  /** Both from 0 to 1. */
  readonly jitter: number;
  readonly spread: number;
};
