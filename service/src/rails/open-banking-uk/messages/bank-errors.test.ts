import fc from 'fast-check';
import { expect, test } from 'vitest';
import { knownErrorCodes, sentenceFor } from './bank-errors.ts';
import { errorSentences } from './error-sentences.ts';

test('every code is listed once', () => {
  const codes = errorSentences.flatMap(([text]) => text.split(' '));
  expect(codes).toHaveLength(knownErrorCodes.length);
});

test('both versions of the standard have the same meaning', () => {
  expect(sentenceFor('UK.OBIE.Resource.ConsentMismatch')).toBe(sentenceFor('U008'));
  expect(sentenceFor('AM04')).toBe(
    'There is not enough money in the account. No money has been taken. ' +
      'Please try again or choose another way to pay.',
  );
});

test('an unknown code gets a sentence that does not repeat it', () => {
  fc.assert(
    fc.property(fc.string(), (code) => {
      expect(sentenceFor(`?${code}`)).toBe(
        'The bank did not make this payment. No money has been taken.',
      );
    }),
  );
});

test('a sentence is plain and complete', () => {
  for (const [, sentence] of errorSentences) expect(sentence).toMatch(/^[A-Z][^<>{}]{20,220}\.$/);
});
