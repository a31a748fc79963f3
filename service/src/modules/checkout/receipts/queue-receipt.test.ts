import { expect, test } from 'vitest';
import { isEmailAddress } from './queue-receipt.ts';

test.each([
  ['ana@example.com', true],
  ['ana', false],
  ['ana@example', false],
  ['', false],
  ['a@b.com\r\nBcc: x@y.com', false],
  [`${'a'.repeat(250)}@example.com`, false],
  ['4242424242424242@example.com', false],
])('%j is an e-mail address: %s', (text, isAddress) => {
  expect(isEmailAddress(text)).toBe(isAddress);
});
