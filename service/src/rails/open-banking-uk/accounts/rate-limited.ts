import type { RateLimited } from '#rails/bank-data-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { accountLimits } from './account-limits.ts';
import type { AccountsAnswer } from './call-accounts.ts';

/** `Retry-After` in seconds or as a date, within bounds of our own. */
export const rateLimited = (bank: Bank, retryAfter: string | undefined): RateLimited => {
  const { fallback, min, max } = accountLimits.retryAfterMs;
  const now = bank.tools.clock.now().getTime();
  const seconds = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : null;
  const date = Date.parse(retryAfter ?? '') - now;
  const wanted = seconds ?? (Number.isNaN(date) ? fallback : date);
  return { kind: 'RATE_LIMITED', retryAfter: new Date(now + Math.min(Math.max(wanted, min), max)) };
};

export const codeOf = (
  bank: Bank,
  answer: Extract<AccountsAnswer, { kind: 'ANSWER' }>,
): string | null => bank.codec.readError(answer.body)?.codes[0] ?? null;
