import type { RateLimited } from '#rails/bank-data-rail.ts';
import type { Bank } from '../bank/bank.ts';

/** What one answer or one list of a bank may hold; more is left unread, and said so. */
export const accountLimits = {
  pages: 2_000,
  entriesOfPage: 10_000,
  accounts: 500,
  balances: 100,
  linkLength: 2_048,
  cursorLength: 65_536,
  retryAfterMs: { fallback: 60_000, min: 1_000, max: 86_400_000 },
} as const;

/** `Retry-After` in seconds or as a date, within bounds of our own. */
export const rateLimited = (bank: Bank, retryAfter: string | undefined): RateLimited => {
  const { fallback, min, max } = accountLimits.retryAfterMs;
  const now = bank.tools.clock.now().getTime();
  const seconds = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : null;
  const date = Date.parse(retryAfter ?? '') - now;
  const wanted = seconds ?? (Number.isNaN(date) ? fallback : date);
  return { kind: 'RATE_LIMITED', retryAfter: new Date(now + Math.min(Math.max(wanted, min), max)) };
};
