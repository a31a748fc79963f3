import { expect, test } from 'vitest';
import { isEmailAddress } from './queue-receipt.ts';

test.each([
  ['an address', 'ana@example.com', true],
  ['a name', 'ana', false],
  ['a host without a dot', 'ana@example', false],
  ['nothing', '', false],
  ['a second header', 'a@b.com\r\nBcc: x@y.com', false],
  ['more than is allowed', `${'a'.repeat(250)}@example.com`, false],
  // Not in the title: reports hold no card number either.
  ['a card number', '4242424242424242@example.com', false],
])('whether %s is an e-mail address', (_, text, isAddress) => {
  expect(isEmailAddress(text)).toBe(isAddress);
});
