import { expect, test } from 'vitest';
import { dayOf, daysUpTo } from './period.ts';

test.each([
  ['2026-07-08T23:30:00Z', '2026-07-09'],
  ['2026-01-08T23:30:00Z', '2026-01-08'],
])('%s is the day %s in London', (time, day) => {
  expect(dayOf(new Date(time))).toBe(day);
});

test.each([
  [1, '2026-03-01', '2026-03-01'],
  [7, '2026-02-23', '2026-03-01'],
  [30, '2026-01-31', '2026-03-01'],
])('the last %d days begin on %s', (count, from, to) => {
  expect(daysUpTo(count, '2026-03-01')).toEqual({ from, to });
});
