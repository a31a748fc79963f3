import { expect, test } from 'vitest';
import { listDays } from '../../parts/times.ts';
import { groupDays, readableStep, runningTotal, stepsOf } from './group-days.ts';

const none = { refunded: 0, reversed: 0, fees: 0 };
const daysOf = (from: string, to: string) =>
  listDays({ from, to }).map((day) => ({ day, sold: 1.1, ...none }));

test('few days are drawn each, with what was sold as many days before', () => {
  const earlier = [{ day: '2026-11-26', sold: 7 }];
  const [first, second, ...others] = groupDays(daysOf('2026-11-28', '2026-11-29'), earlier, 'day');
  expect(others).toEqual([]);
  expect(first).toMatchObject({ title: '28 Nov 2026', from: '2026-11-28', before: 7 });
  expect(first?.beforeTitle).toBe('26 Nov 2026');
  expect(second).toMatchObject({ to: '2026-11-29', sold: 1.1, before: 0 });
});

test('ninety days are weeks, the newest of them whole, a year is months, and nothing is lost', () => {
  const weeks = groupDays(daysOf('2026-09-01', '2026-11-29'), undefined, 'week');
  expect(weeks.length).toBe(13);
  expect(weeks[0]).toMatchObject({ title: '1 Sept to 6 Sept 2026', sold: 6.6, before: undefined });
  expect(weeks.at(-1)).toMatchObject({ from: '2026-11-23', to: '2026-11-29', sold: 7.7 });
  const year = groupDays(daysOf('2025-11-29', '2026-11-28'), [], 'month');
  expect(year.map(({ title }) => title).slice(0, 2)).toEqual(['November 2025', 'December 2025']);
  expect(year.at(-1)).toMatchObject({ from: '2026-11-01', to: '2026-11-28', sold: 30.8 });
  expect(groupDays([], undefined, 'day')).toEqual([]);
});

test('a running total ends with all that was sold, and says what had been by then before', () => {
  const days = daysOf('2026-11-28', '2026-11-30');
  const totals = runningTotal(groupDays(days, [{ day: '2026-11-26', sold: 7 }], 'total'));
  expect(totals.map(({ sold, before }) => [sold, before])).toEqual([
    [1.1, 0],
    [2.2, 7],
    [3.3, 7],
  ]);
  expect(totals[1]?.beforeTitle).toBe('Up to 26 Nov 2026');
});

test.each([
  [1, ['day']],
  [7, ['day', 'total']],
  [30, ['day', 'week', 'total']],
  [90, ['week', 'total']],
  [365, ['month', 'total']],
])('%i days can be drawn by %j', (count, steps) => {
  expect(stepsOf(count)).toEqual(steps);
});

test('one large day is drawn in its week, one large week as a running total', () => {
  const even = daysOf('2026-11-01', '2026-11-30');
  const withSold = (pounds: number, every: number) =>
    even.map((day, position) => ({ ...day, sold: position % every === 0 ? pounds : 1 }));
  expect(readableStep(even)).toBe('day');
  expect(readableStep(withSold(40, 7))).toBe('week');
  expect(readableStep(withSold(900, 31))).toBe('total');
  expect(readableStep([])).toBe('day');
});
