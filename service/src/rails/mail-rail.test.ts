import { expect, test } from 'vitest';
import { type MailOutcome, mailRetryMs, sendMail } from './mail-rail.ts';

const mail = { messageId: 'mail-1', to: 'ada@example.com', subject: 'S', text: 'T' };
const railThat = (outcome: MailOutcome) => ({
  send: async () => outcome,
  close: async () => undefined,
});

test('the reason of a failed mail omits the address', async () => {
  const description = '550 <ada@example.com>: no such user';
  expect(await sendMail(railThat({ kind: 'FAILED', description }), () => mail)).toBe(
    '550 … no such user',
  );
  expect(await sendMail(railThat({ kind: 'SENT' }), () => mail)).toBeNull();
});

test('retries are later each time, at least every six hours', () => {
  const minutes = [1, 2, 3, 8, 9, 40].map((attempts) => mailRetryMs(attempts) / 60_000);
  expect(minutes).toEqual([2, 4, 8, 256, 360, 360]);
});

test('a mail that cannot be written or sent has failed, and says why in what a column takes', async () => {
  const write = () => {
    throw new Error('no key opens the address');
  };
  expect(await sendMail(railThat({ kind: 'SENT' }), write)).toBe('no key opens the address');
  const broken = {
    ...railThat({ kind: 'SENT' }),
    send: () => Promise.reject(new Error('EPIPE \0')),
  };
  expect(await sendMail(broken, () => mail)).toBe('EPIPE \ufffd');
});
