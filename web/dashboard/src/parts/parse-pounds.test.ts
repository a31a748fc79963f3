import { expect, test } from 'vitest';
import { parsePounds } from './parse-pounds.ts';

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
