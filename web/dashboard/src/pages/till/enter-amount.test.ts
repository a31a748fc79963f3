import { expect, test } from 'vitest';
import { enterAmount, type Key, keyOf, tipOf } from './enter-amount.ts';

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

test.each([
  ['payer', null, undefined],
  ['none', null, 0],
  ['10', null, 126],
  ['15', null, 188],
  ['other', 200, 200],
  ['other', null, null],
] as const)('a tip of the choice %s', (choice, typed, pence) => {
  expect(tipOf(choice, 1_255, typed)).toBe(pence);
});
