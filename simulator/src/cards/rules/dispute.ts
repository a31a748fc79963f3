import type { CardRow } from '../card-row.ts';
import type { Dispute } from '../model.ts';

const decidedAfterMs = 60 * 60 * 1000;

export const disputeOf = (row: CardRow, attemptId: string, now: number): Dispute | null => {
  if (!row.dispute) return null;
  return {
    id: attemptId.replace(/^ch_/, 'dp_'),
    at: now,
    status: 'needs_response',
    endsAs: row.dispute,
    endsAt: now + decidedAfterMs,
  };
};
