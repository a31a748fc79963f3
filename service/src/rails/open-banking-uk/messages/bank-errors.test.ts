import fc from 'fast-check';
import { expect, test } from 'vitest';
import { knownErrorCodes, sentenceFor } from './bank-errors.ts';
import { errorSentences } from './error-sentences.ts';

test('no code stands twice', () => {
  const codes = errorSentences.flatMap(([text]) => text.split(' '));
  expect(codes).toHaveLength(knownErrorCodes.length);
});

test('both versions of the standard say the same', () => {
  expect(sentenceFor('UK.OBIE.Resource.ConsentMismatch')).toBe(sentenceFor('U008'));
  expect(sentenceFor('AM04')).toBe(
    'There is not enough money in the account. No money has been taken. ' +
      'Please try again or choose another way to pay.',
  );
});

test('an unknown code gets a sentence that never repeats it', () => {
  fc.assert(
    fc.property(fc.string(), (code) => {
      expect(sentenceFor(`?${code}`)).toBe(
        'The bank did not make this payment. No money has been taken.',
      );
    }),
  );
});

test('a sentence is plain and ends', () => {
  for (const [, sentence] of errorSentences) expect(sentence).toMatch(/^[A-Z][^<>{}]{20,220}\.$/);
});
