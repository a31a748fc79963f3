import { expect, test } from 'vitest';
import { settledAround } from './matches.tsx';

test.each([
  [[], {}],
  [['2026-03-01T10:00:00.000Z'], { fromDate: '2026-02-28', toDate: '2026-03-15' }],
  [
    ['2026-06-09T23:30:00.000Z', '2026-05-01T00:10:00.000Z'],
    { fromDate: '2026-04-30', toDate: '2026-06-23' },
  ],
])('payouts created at %s settle within %s', (created, days) => {
  expect(settledAround(created)).toEqual(days);
});
