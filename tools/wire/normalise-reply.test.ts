import { describe, expect, test } from 'vitest';
import { normaliseReply } from './normalise-reply.ts';

const normalise = (body: unknown, headers: Readonly<Record<string, unknown>> = {}): string =>
  normaliseReply({
    operation: 'GET /api/things',
    status: 200,
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    seenIn: { file: '', test: '' },
  });

describe('two runs give the same reply when they differ only in', () => {
  test.each([
    ['an id', '0b3f6f0e-6a51-4b0e-9d0e-111111111111', 'f3a1c2d4-6a51-4b0e-9d0e-222222222222'],
    ['a time', '2026-11-22T07:00:00.000Z', '2026-11-23T08:10:20.300Z'],
    ['a port', 'http://127.0.0.1:40001/pay', 'http://127.0.0.1:50002/pay'],
    [
      'a port within a query',
      '?to=http%3A%2F%2F127.0.0.1%3A21955',
      '?to=http%3A%2F%2F127.0.0.1%3A23619',
    ],
    [
      'a time within a query',
      '?at=2026-12-01T22%3A16%3A03.444Z',
      '?at=2026-12-02T08%3A20%3A31.691Z',
    ],
    ['a reference', 'FPY787DA43CBA4 SIM000000000002', 'FPY18F3CF2BFDA SIM000000000014'],
    ['the number of an entry', 'entry-10', 'entry-14'],
    [
      'the hash of a style',
      `style-src 'sha256-${'a+'.repeat(21)}B='`,
      `style-src 'sha256-${'b/'.repeat(21)}C='`,
    ],
    ['what a payer quotes', '<code>1edd1e2e-ebb7</code>', '<code>b41dcbc3-dd5a</code>'],
    ['a secret', 'sandbox_Ab3dEf6hIj9kLm2nOp5q', 'sandbox_Zy8xWv7uTs6rQp5oNm4l'],
    ['a short address', 'https://x/p/bszFiUIfninmoufrO', 'https://x/p/VqsevEKfDHbbttHaI'],
  ])('%s', (_, one, other) => {
    expect(normalise({ member: one })).toBe(normalise({ member: other }));
  });

  test('the moment in milliseconds', () => {
    expect(normalise({ at: 1_795_330_497_899 })).toBe(normalise({ at: 1_795_330_500_001 }));
  });

  test('headers of the connection', () => {
    expect(normalise({}, { date: 'now', 'x-request-id': 'a' })).toBe(normalise({}));
  });
});

describe('a change stays visible of', () => {
  test.each([
    ['a word', { status: 'COMPLETED' }, { status: 'PENDING' }],
    ['an amount', { amount: 12.5 }, { amount: 12.51 }],
    ['a member', { status: 'PENDING' }, { status: 'PENDING', more: null }],
    ['a sentence', '<p>Pay by bank</p>', '<p>Pay by card</p>'],
  ])('%s', (_, one, other) => {
    expect(normalise(one)).not.toBe(normalise(other));
  });

  test('a header', () => {
    expect(normalise({}, { 'retry-after': 5 })).not.toBe(normalise({}, { 'retry-after': 6 }));
  });
});
