import { describe, expect, test } from 'vitest';
import { outsideText } from './mask-card-numbers.ts';

describe('text from outside', () => {
  test.each<[string, string | null | undefined, string | null]>([
    ['a name', 'Ada Lovelace', 'Ada Lovelace'],
    ['nothing', undefined, null],
    ['blanks', ' \t ', null],
    ['NUL alone', '\u0000', null],
    ['NUL', 'Ada\u0000 Lovelace', 'Ada Lovelace'],
    ['line breaks', 'Ada\r\nLovelace\u2028London', 'Ada Lovelace London'],
    ['half a character', 'Ada \ud83d', 'Ada'],
    ['a turn of the direction of writing', 'Ada \u202eecalevoL', 'Ada ecalevoL'],
    ['letters of any script', 'ਅਦਾ محمد 李 🏪', 'ਅਦਾ محمد 李 🏪'],
    ['a card number', 'Ada 4242 4242 4242 4242', 'Ada ****4242'],
    ['a card number across a line', '4242 4242\n4242 4242', '****4242'],
    ['too much', `${'x'.repeat(99)}🏪🏪`, `${'x'.repeat(99)}🏪`],
    ['a number at the end', `${'x'.repeat(90)} 4242424242424242`, `${'x'.repeat(90)} ****4242`],
  ])('%s', (_, text, shown) => {
    expect(outsideText(text, 100)).toBe(shown);
  });
});
