import { expect, test } from 'vitest';
import { settlementPeriodEnd } from './fill-and-close.ts';

const five = 17 * 60;

test.each([
  ['before the cut-off, in winter', '2026-11-20T16:59:59Z', '2026-11-20T17:00:00.000Z'],
  ['at the cut-off on a Friday', '2026-11-20T17:00:00Z', '2026-11-23T17:00:00.000Z'],
  ['in summer time', '2026-07-01T15:00:00Z', '2026-07-01T16:00:00.000Z'],
  ['before Christmas', '2026-12-24T18:00:00Z', '2026-12-29T17:00:00.000Z'],
  ['before Easter', '2027-03-25T17:00:00Z', '2027-03-30T16:00:00.000Z'],
  ['after the last year of the calendar', '2029-12-24T18:00:00Z', '2029-12-25T17:00:00.000Z'],
])('a settlement period ends %s', (_, now, end) => {
  const rule = { period: 'DAILY', cutOffMinutes: five } as const;
  expect(settlementPeriodEnd(new Date(now), rule).toISOString()).toBe(end);
});

test.each([
  ['a cut-off at midnight', 'DAILY', 0, '2026-11-19T00:00:00Z', '2026-11-20T00:00:00.000Z'],
  // Summer time ends on Sunday, 25 October 2026.
  [
    'the Monday after the clocks change',
    'DAILY',
    90,
    '2026-10-24T12:00:00Z',
    '2026-10-26T01:30:00.000Z',
  ],
  ['the day before it', 'DAILY', 90, '2026-10-22T12:00:00Z', '2026-10-23T00:30:00.000Z'],
  ['the Friday of a week', 'WEEKLY', five, '2026-11-16T09:00:00Z', '2026-11-20T17:00:00.000Z'],
  [
    'the Friday after this Friday',
    'WEEKLY',
    five,
    '2026-11-20T17:00:00Z',
    '2026-11-27T17:00:00.000Z',
  ],
  [
    'Thursday before Good Friday',
    'WEEKLY',
    five,
    '2027-03-22T09:00:00Z',
    '2027-03-25T17:00:00.000Z',
  ],
  [
    'Sunday belongs to the week before',
    'WEEKLY',
    five,
    '2026-11-22T09:00:00Z',
    '2026-11-27T17:00:00.000Z',
  ],
  [
    'the last working day of a month',
    'MONTHLY',
    five,
    '2026-05-01T09:00:00Z',
    '2026-05-29T16:00:00.000Z',
  ],
  ['the month after it', 'MONTHLY', five, '2026-05-29T16:00:00Z', '2026-06-30T16:00:00.000Z'],
  ['the last of December', 'MONTHLY', five, '2026-12-01T09:00:00Z', '2026-12-31T17:00:00.000Z'],
] as const)('a period ends at %s', (_, period, cutOffMinutes, now, end) => {
  expect(settlementPeriodEnd(new Date(now), { period, cutOffMinutes }).toISOString()).toBe(end);
});
