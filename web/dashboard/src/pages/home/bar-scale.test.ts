import { expect, test } from 'vitest';
import { scaleBars } from './bar-scale.ts';

test.each([
  ['sales only', [{ up: 730, down: 0 }], [0, 200, 400, 600, 800]],
  [
    'sales and refunds',
    [
      { up: 90, down: 0 },
      { up: 10, down: 25 },
    ],
    [0, 50, 100],
  ],
  [
    'sales and more refunds',
    [
      { up: 90, down: 0 },
      { up: 0, down: 70 },
    ],
    [-50, 0, 50, 100],
  ],
  ['refunds only', [{ up: 0, down: 4 }], [-4, -3, -2, -1, 0, 1]],
  ['sales and a won dispute', [{ up: 90, down: 0, back: 110 }], [0, 50, 100, 150, 200]],
  ['nothing', [{ up: 0, down: 0 }], [0, 0.5]],
  ['no day', [], [0, 0.5]],
])('lines of %s are at even steps', (_, bars, pounds) => {
  expect(scaleBars(bars, { height: 100 }).lines.map((line) => line.pounds)).toEqual(pounds);
});

test('every bar stays within the height', () => {
  const { zero, length } = scaleBars([{ up: 333.33, down: 77.7 }], { height: 180 });
  expect(length(333.33)).toBeLessThanOrEqual(zero);
  expect(zero + length(77.7)).toBeCloseTo(180);
  expect(length(0)).toBe(0);
});
