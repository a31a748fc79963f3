import { expect, test } from 'vitest';
import { readSearch } from './filters.ts';

test.each([
  ['2026-02-28', '2026-02-28'],
  ['2026-02-30', undefined],
  ['28/02/2026', undefined],
  ['', undefined],
])('the day %s is read as %s', (day, expected) => {
  expect(readSearch.day({ day }, 'day')).toBe(expected);
});

test.each([
  ['2', 2],
  ['1', undefined],
  ['0', undefined],
  ['-3', undefined],
  ['2.5', undefined],
  ['1e9', undefined],
  ['x', undefined],
])('page %s is read as %s', (page, expected) => {
  expect(readSearch.page({ page })).toBe(expected);
});

test.each([
  ['A,C', ['A', 'C']],
  ['C,A,A', ['A', 'C']],
  ['D', undefined],
  ['', undefined],
  [undefined, undefined],
])('the choices %s are read as %s', (of, expected) => {
  expect(readSearch.choices({ of }, 'of', { A: 'a', B: 'b', C: 'c' })).toEqual(expected);
});

test.each([
  ['mock-a,mock-b,mock-a', ['mock-a', 'mock-b']],
  [',,', undefined],
  ['x'.repeat(51), undefined],
  [undefined, undefined],
])('the words of %s are %s', (of, expected) => {
  expect(readSearch.words({ of }, 'of')).toEqual(expected);
});

test.each([
  ['12.5', 12.5],
  ['0.01', 0.01],
  ['1e9', undefined],
  ['-1', undefined],
  ['', undefined],
  [undefined, undefined],
])('the amount %s is read as %s', (amount, expected) => {
  expect(readSearch.pounds({ amount }, 'amount')).toBe(expected);
});

test('a text is cut to its length, and only a text is read', () => {
  expect(readSearch.text({ q: 'x'.repeat(200) }, 'q')).toHaveLength(100);
  expect(readSearch.text({ q: 4 }, 'q')).toBeUndefined();
});
