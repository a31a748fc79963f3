import { expect, test } from 'vitest';
import { shownDisputes } from './disputes.ts';

const stored = (reference: string, reason: string) =>
  ({ reference, reason, status: 'OPEN', amountPence: '1250' }) as const;

const openings = [
  { reason: 'fraudulent', at: '2026-11-28T04:38:00+00:00' },
  { reason: 'duplicate', at: '2026-11-20T10:00:00+00:00' },
  { reason: 'duplicate', at: '2026-11-21T10:00:00+00:00' },
];

test('of two disputes with one reason neither is said when it was opened', () => {
  const disputes = [stored('A', 'duplicate'), stored('B', 'fraudulent'), stored('C', 'duplicate')];
  const shown = shownDisputes({ disputes, openings, answers: null });
  expect(shown.map(({ openedAt }) => openedAt)).toEqual([null, '2026-11-28T04:38:00.000Z', null]);
});

test('of a dispute whose report the history does not hold none is said', () => {
  const shown = shownDisputes({
    disputes: [stored('A', 'general')],
    openings: null,
    answers: null,
  });
  expect(shown.map(({ openedAt }) => openedAt)).toEqual([null]);
});
