import { expect, test } from 'vitest';
import { explainMailFailure } from './explain-mail-failure.ts';
import { maskAddress } from './mails.ts';

test.each([
  ['getaddrinfo ENOTFOUND mail.example', 'The name of the mail server is not found.'],
  ['connect ECONNREFUSED 127.0.0.1:25', 'The mail server cannot be reached.'],
  ['Connection timeout', 'The mail server did not answer in time.'],
  ['self-signed certificate', 'The connection to the mail server is not trusted.'],
  ['Invalid login: 535 5.7.8 no', 'The mail server refuses our user name or password.'],
  [
    "Can't send mail - all recipients were rejected: 550 no such box <…>",
    'The mail server refuses the address, or mails of ours.',
  ],
  ['Message failed: 452 4.2.2 over quota', 'The mailbox is full, or the mail too large for it.'],
  ['421 4.7.0 try again', 'The mail server asks us to come back later.'],
  ['what it says has ended', 'It could not be sent in time.'],
  [
    '554 no: http://x/new-password/secret',
    'The mail server refuses the address, or mails of ours.',
  ],
  ['http://x/new-password/secret', 'The mail server did not take it.'],
])('%s reads "%s"', (error, title) => {
  const words = explainMailFailure(error);
  expect(words.title).toBe(title);
  expect(JSON.stringify(words)).not.toContain('secret');
});

test.each([
  ['ada@shop.example', 'a…@shop.example'],
  ['a@b', 'a…@b'],
  ['"x@y"@z.example', '"…@z.example'],
  ['none', '…'],
  ['', '…'],
])('%s is shown as %s', (address, shown) => {
  expect(maskAddress(address)).toBe(shown);
});
