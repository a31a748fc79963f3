import { expect, test } from 'vitest';
import { listDays } from '../../parts/times.ts';
import { groupDays } from './group-days.ts';

const none = { refunded: 0, reversed: 0, fees: 0 };
const daysOf = (from: string, to: string) =>
  listDays({ from, to }).map((day) => ({ day, sold: 1.1, ...none }));

test('few days are drawn each, with what was sold as many days before', () => {
  const earlier = [{ day: '2026-11-26', sold: 7 }];
  const [first, second, ...others] = groupDays(daysOf('2026-11-28', '2026-11-29'), earlier);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ title: '28 Nov 2026', from: '2026-11-28', before: 7 });
  expect(first?.beforeTitle).toBe('26 Nov 2026');
  expect(second).toMatchObject({ to: '2026-11-29', sold: 1.1, before: 0 });
});

test('ninety days are weeks, a year is months, and nothing is lost', () => {
  const weeks = groupDays(daysOf('2026-09-01', '2026-11-29'), undefined);
  expect(weeks.length).toBe(13);
  expect(weeks[0]).toMatchObject({ title: '1 Sept to 7 Sept 2026', sold: 7.7, before: undefined });
  const year = groupDays(daysOf('2025-11-29', '2026-11-28'), []);
  expect(year.map(({ title }) => title).slice(0, 2)).toEqual(['November 2025', 'December 2025']);
  expect(year.at(-1)).toMatchObject({ from: '2026-11-01', to: '2026-11-28', sold: 30.8 });
  expect(groupDays([], undefined)).toEqual([]);
});
