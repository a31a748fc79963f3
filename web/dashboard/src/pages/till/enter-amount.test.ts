import { expect, test } from 'vitest';
import { enterAmount, type Key, keyOf, quickTips, tipOf } from './enter-amount.ts';

const entered = (...typed: readonly Key[]): number =>
  typed.reduce((pence, key) => enterAmount(pence, key), 0);

test('digits come in at the pence', () => {
  expect(entered('1', '2', '5', '0')).toBe(1_250);
  expect(entered('7', '00')).toBe(700);
  expect(entered('1', '2', 'back')).toBe(1);
  expect(entered('1', '2', 'clear')).toBe(0);
  expect(entered('back')).toBe(0);
});

test('more than seven digits change nothing', () => {
  expect(entered('9', '9', '9', '9', '9', '9', '9', '1')).toBe(9_999_999);
  expect(entered('1', '2', '3', '4', '5', '6', '00')).toBe(123_456);
});

test('a keyboard types the same', () => {
  expect(['5', 'Backspace', 'Delete', 'a', 'F1'].map(keyOf)).toEqual([
    '5',
    'back',
    'clear',
    null,
    null,
  ]);
});

const percent = {
  ...{ enabled: true, allowCustom: true },
  ...{ tipType: 'PERCENTAGE' as const, options: [10, 15, 20] },
};
const fixed = { ...percent, tipType: 'FIXED' as const, options: [1, 2.5, 5] };

test.each([
  ['payer', null, percent, undefined],
  ['none', null, percent, 0],
  ['0', null, percent, 126],
  ['1', null, percent, 188],
  ['1', null, fixed, 250],
  ['2', null, null, null],
  ['other', 200, percent, 200],
  ['other', null, percent, null],
] as const)('a tip of the choice %s', (choice, typed, tips, pence) => {
  expect(tipOf(choice, 1_255, typed, tips)).toBe(pence);
});

test('the quick choices are those of the settings, if they are on', () => {
  expect(quickTips(percent)).toEqual(['10%', '15%', '20%']);
  expect(quickTips(fixed)).toEqual(['£1.00', '£2.50', '£5.00']);
  expect([quickTips({ ...fixed, enabled: false }), quickTips(null)]).toEqual([[], []]);
});
