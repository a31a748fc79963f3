import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitText } from './write-credit-transfers.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.stringMatching(/^[ /A-Za-zÀ-ž&–'.-]{0,60}$/),
);

test('any text becomes text that a bank accepts, cut to length', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, maxLength) => {
      const fitted = fitText(text, maxLength);
      expect(fitted).toMatch(/^[A-Za-z0-9/\-?:().,'+ ]*$/);
      expect(fitted.length).toBeLessThanOrEqual(maxLength);
      expect(fitted).not.toMatch(/^[ /]|[ /]$|\/\/| {2}/);
      expect(fitText(fitted, maxLength)).toBe(fitted);
    }),
    { numRuns: 1000 },
  );
});

test('text that a bank accepts is not changed', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Za-z0-9?:().,'+-]{1,40}( [A-Za-z0-9?:().,'+-]{1,9})*$/),
      (text) => {
        expect(fitText(text, 1_000)).toBe(text);
      },
    ),
  );
});

test.each([
  ['Café Zoë & Søn', 'Cafe Zoe + Son'],
  ['Müller–Groß GmbH', 'Muller-Gross GmbH'],
  ['ORDER_1001 £5', 'ORDER-1001 5'],
  ['//order//7/', 'order/7'],
  ['O’Brien', "O'Brien"],
  ['ORDER 1234567890123456', 'ORDER 123456789012'],
  ['日本', ''],
])('%s becomes %s', (text, expected) => {
  expect(fitText(text, 18)).toBe(expected);
});
