import { expect, test } from 'vitest';
import { recordedWords } from './recorded-words.ts';

const id = '0b5f2b46-5f3c-4a39-9d0e-6c1f2d3e4a5b';

test.each([
  ['ids, days and our own words', [id, '2026-11-01', 'production', 'csv']],
  [
    'settings that their operation declares',
    ['cardsEnabled=true', 'feeFixed=0.2', 'paymentLimit=5000'],
  ],
])('of the words of a command it records %s', (_, words) => {
  expect(recordedWords(words)).toEqual(words);
});

test.each([
  ['ada@example.com', '…'],
  ['Ada', '…'],
  ['10799988837491', '…'],
  ['{"businessName":"Ada","ownerEmail":"ada@example.com"}', '…'],
  ['ownerEmail=ada@example.com', 'ownerEmail=…'],
  ['supportPhone=442079460958', 'supportPhone=…'],
  ['Ada=1', '…'],
])('of %s it records that it was there', (word, recorded) => {
  expect(recordedWords([word])).toEqual([recorded]);
});
