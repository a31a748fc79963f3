import { expect, test } from 'vitest';
import { parsePercent } from './parse-percent.ts';

test.each([
  ['0.75', 75],
  ['1', 100],
  ['1.5 %', 150],
  ['0', 0],
  ['100', 10_000],
  ['100.01', null],
  ['0.755', null],
  ['-1', null],
  ['.5', null],
  ['', null],
])('%s is read as %s hundredths of a percent', (text, expected) => {
  expect(parsePercent(text)).toBe(expected);
});
