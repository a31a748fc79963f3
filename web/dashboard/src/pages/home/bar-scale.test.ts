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
    [-50, 0, 50, 100],
  ],
  ['refunds only', [{ up: 0, down: 4 }], [-4, -3, -2, -1, 0, 1]],
  ['nothing', [{ up: 0, down: 0 }], [0, 0.5]],
  ['no day', [], [0, 0.5]],
])('lines of %s are at round amounts', (_, bars, pounds) => {
  expect(scaleBars(bars, { height: 100 }).lines.map((line) => line.pounds)).toEqual(pounds);
});

test('every bar stays within the height', () => {
  const { zero, length } = scaleBars([{ up: 333.33, down: 77.7 }], { height: 180 });
  expect(length(333.33)).toBeLessThanOrEqual(zero);
  expect(zero + length(77.7)).toBeLessThanOrEqual(180);
  expect(length(0)).toBe(0);
});

test('one day far above the others is cut, so that these can still be read', () => {
  const sold = [80, 70, 15, 4, 98, 62, 646, 50, 30, 147, 119, 24, 275, 115];
  const bars = sold.map((up) => ({ up, down: 0 }));
  const scale = scaleBars(bars, { height: 100 });
  expect(scale.lines.at(-1)?.pounds).toBe(300);
  expect(sold.filter(scale.isCut)).toEqual([646]);
  // Of a few there is no rest that it would flatten.
  expect(scaleBars(bars.slice(3, 7), { height: 100 }).isCut(646)).toBe(false);
});
