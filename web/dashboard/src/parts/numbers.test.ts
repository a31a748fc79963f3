import { expect, test } from 'vitest';
import { parsePercent, parsePounds } from './numbers.ts';

test.each([
  ['12', 1200],
  ['12.5', 1250],
  ['12.05', 1205],
  ['0.29', 29],
  ['£1,234.50', 123_450],
  [' £ 3 ', 300],
  ['1.005', null],
  ['12,5', null],
  ['-3', null],
  ['1e3', null],
  ['', null],
  ['12345678', null],
])('%s is %s pence', (text, pence) => {
  expect(parsePounds(text)).toBe(pence);
});

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
