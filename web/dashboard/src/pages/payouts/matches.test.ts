import { expect, test } from 'vitest';
import { settledIn } from './matches.tsx';

const payoutOf = (settledAt: string | null) => ({ settledAt });

test.each([
  [[], null],
  [[null], null],
  [['2026-03-01T10:00:00.000Z', null], { fromDate: '2026-02-28', toDate: '2026-03-02' }],
  [
    ['2026-06-09T23:30:00.000Z', '2026-05-01T00:10:00.000Z'],
    { fromDate: '2026-04-30', toDate: '2026-06-10' },
  ],
])('payouts settled at %s settle within %s', (settled, days) => {
  expect(settledIn(settled.map(payoutOf))).toEqual(days);
});
