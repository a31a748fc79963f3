import { expect, test } from 'vitest';
import { tipsOf, typedTips } from './typed-tips.ts';

test.each([
  ['PERCENTAGE', ['5', '10', '15'], [5, 10, 15]],
  ['PERCENTAGE', ['5', '10', '10'], null],
  ['PERCENTAGE', ['5', '10', '101'], null],
  ['PERCENTAGE', ['5', '10', '7.5'], null],
  ['PERCENTAGE', ['0', '10', '15'], null],
  ['FIXED', ['1', '2.50', '£5'], [1, 2.5, 5]],
  ['FIXED', ['1', '2.505', '5'], null],
  ['FIXED', ['1', '', '5'], null],
  ['FIXED', ['1', '2', '1000.01'], null],
] as const)('%s tips of %j are %j', (tipType, options, right) => {
  expect(tipsOf({ ...typedTips(null), tipType, options })?.options ?? null).toEqual(right);
});
