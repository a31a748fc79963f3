import { expect, test } from 'vitest';
import { writePounds } from './numbers.ts';
import {
  dayOf,
  daysBefore,
  daysUpTo,
  listDays,
  parseDay,
  writeAge,
  writeDay,
  writeShortTime,
  writeSpan,
  writeSpell,
  writeTime,
  writeTimeInWords,
} from './times.ts';

const today = new Date('2026-07-08T12:00:00Z');

test.each([
  ['2026-07-08T11:30:00Z', '8 Jul 2026, 12:30'],
  ['2025-12-31T23:30:00Z', '31 Dec 2025, 23:30'],
])('%s is written as %s, by the clock of London', (time, text) => {
  expect(writeTime(new Date(time))).toBe(text);
  // This year needs no number in a table.
  expect(writeShortTime(new Date(time), today)).toBe(text.replace(' 2026', ''));
});

test.each([
  ['2026-11-01', '2026-11-30', '1 to 30 Nov 2026'],
  ['2026-11-28', '2026-12-27', '28 Nov to 27 Dec 2026'],
  ['2025-12-28', '2026-01-27', '28 Dec 2025 to 27 Jan 2026'],
  ['2026-03-03', '2026-03-03', '3 Mar 2026'],
])('from %s to %s is written as %s', (from, to, text) => {
  expect(writeSpan({ from, to })).toBe(text);
});

test.each([
  ['28 Nov 2026', '2026-11-28'],
  ['8 november, 2026', '2026-11-08'],
  ['28/11/2026', '2026-11-28'],
  ['1.2.2026', '2026-02-01'],
  ['2026-11-28', '2026-11-28'],
  ['31 Feb 2026', null],
  ['28 Nov', null],
  ['28 Xyz 2026', null],
  ['', null],
])('the day that is typed as "%s" is %s', (text, day) => {
  expect(parseDay(text)).toBe(day);
});

test.each([
  ['2026-07-08T11:59:40Z', 'just now'],
  ['2026-07-08T12:00:20Z', 'in a moment'],
  ['2026-07-08T11:01:00Z', '59 minutes ago'],
  ['2026-07-08T09:00:00Z', '3 hours ago'],
  ['2026-07-07T11:00:00Z', 'yesterday'],
  ['2026-07-10T12:00:00Z', 'in 2 days'],
  ['2026-04-08T12:00:00Z', '3 months ago'],
  ['2024-04-08T12:00:00Z', '2 years ago'],
])('%s is %s', (time, text) => {
  expect(writeAge(new Date(time), today)).toBe(text);
});

test.each([
  ['2026-07-08T12:00:20Z', 'a moment'],
  ['2026-07-08T13:01:00Z', '1 hour'],
  ['2026-07-09T18:00:00Z', '1 day'],
  ['2026-08-12T12:00:00Z', '1 month'],
  ['2026-07-10T12:00:00Z', '2 days'],
])('until %s are left %s', (time, text) => {
  expect(writeSpell(today, new Date(time))).toBe(text);
});

test('a hover says the time in words', () => {
  expect(writeTimeInWords(new Date('2026-07-08T09:00:00Z'), today)).toBe(
    'Wednesday, 8 July 2026, 10:00:00 in London, 3 hours ago',
  );
});

test.each([
  ['2026-03-29', '29 Mar 2026'],
  ['2026-10-25T00:00:00.000Z', '25 Oct 2026'],
])('the day %s is the same in every time zone', (day, text) => {
  expect(writeDay(day)).toBe(text);
});

test.each([
  [0, '£0.00'],
  [1234.5, '£1,234.50'],
  [-3, '−£3.00'],
])('%d pounds are %s', (pounds, text) => {
  expect(writePounds(pounds)).toBe(text);
});

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

test('as many days before some days, and each of them', () => {
  const before = daysBefore({ from: '2026-03-28', to: '2026-03-30' });
  expect(before).toEqual({ from: '2026-03-25', to: '2026-03-27' });
  expect(listDays(before)).toEqual(['2026-03-25', '2026-03-26', '2026-03-27']);
});
