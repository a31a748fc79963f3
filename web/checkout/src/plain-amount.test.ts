import { expect, test } from 'vitest';
import { plainAmount } from './plain-amount.ts';

test.each([
  ['12.50', '12.50'],
  [' £ 12.5 ', '12.5'],
  ['12,50', '12.50'],
  ['١٢٫٥٠', '12.50'],
  ['۱۲.۵', '12.5'],
  ['১২', '12'],
  ['੧੨', '12'],
  ['૧૨', '12'],
])('%s is read as %s', (typed, plain) => {
  expect(plainAmount(typed)).toBe(plain);
});

test.each(['1,000', '12.50.1', 'twelve', '-5', '1e3', ''])('%s is no amount', (typed) => {
  expect(plainAmount(typed)).not.toMatch(/^\d+(?:\.\d{1,2})?$/);
});
