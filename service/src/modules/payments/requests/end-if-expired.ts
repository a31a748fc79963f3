import type { Ids } from '#platform/ids.ts';
import { isLive } from '../core/attempt-lifecycle.ts';
import { type Change, moveRequest } from '../core/draft-change.ts';
import { emitExpiry } from '../core/emit-outcome.ts';
import { isPastExpiry } from '../core/payment.ts';

/** Expired means: its time is over and no attempt is live. It is emitted once (REQUEST-5). */
export const endIfExpired = (tools: { readonly ids: Ids }, change: Change): boolean => {
  const { payment } = change;
  if (payment.status !== 'OPEN' || !isPastExpiry(payment)) return false;
  if (payment.attempts.some((attempt) => isLive(attempt.status))) return false;
  moveRequest(change, 'expired');
  emitExpiry(tools, change);
  return true;
};
