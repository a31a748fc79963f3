import { expect, test } from 'vitest';
import { nextRefreshInMs } from './refresh-authorisation.ts';

test.each([
  [0, 60_000],
  [1, 120_000],
  [3, 480_000],
  [9, 6 * 60 * 60_000],
  [10_000, 6 * 60 * 60_000],
])('after %i failures a bank is called again in %i ms', (failures, expected) => {
  expect(nextRefreshInMs(failures)).toBe(expected);
});
