import { expect, test } from 'vitest';
import { settlementPeriodEnd } from './settlement-period-end.ts';

test.each([
  ['before the cut-off, in winter', '2026-11-20T16:59:59Z', '2026-11-20T17:00:00.000Z'],
  ['at the cut-off on a Friday', '2026-11-20T17:00:00Z', '2026-11-23T17:00:00.000Z'],
  ['in summer time', '2026-07-01T15:00:00Z', '2026-07-01T16:00:00.000Z'],
  ['before Christmas', '2026-12-24T18:00:00Z', '2026-12-29T17:00:00.000Z'],
  ['before Easter', '2027-03-25T17:00:00Z', '2027-03-30T16:00:00.000Z'],
])('a settlement period ends %s', (_, now, end) => {
  expect(settlementPeriodEnd(new Date(now)).toISOString()).toBe(end);
});
