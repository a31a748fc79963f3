import { expect, test } from 'vitest';
import { DatabaseUnavailable, isConnectionError, toUnavailable } from './database-unavailable.ts';

const answered = (code: string) => Object.assign(new Error(code), { code, severity: 'ERROR' });
const broken = (code: string) => Object.assign(new Error(code), { code });

test.each([
  ['a broken pipe', broken('EPIPE'), true],
  ['a reset connection', broken('ECONNRESET'), true],
  ['a query without an answer', new Error('Query read timeout'), true],
  ['a server that shuts down', answered('57P01'), true],
  ['a lost connection', answered('08006'), true],
  ['a read-only server', answered('25006'), false],
  ['too many connections', answered('53300'), false],
  ['a full disk', answered('53100'), false],
  ['a lock that is not free', answered('55P03'), false],
  ['a statement that takes too long', answered('57014'), false],
])('%s is unavailable', (_, error, isOutcomeUnknown) => {
  const unavailable = toUnavailable(error);
  expect(unavailable).toBeInstanceOf(DatabaseUnavailable);
  expect(unavailable).toMatchObject({ isOutcomeUnknown });
});

test.each(['23505', '22P02', '42601'])('%s is not', (code) => {
  const error = answered(code);
  expect(toUnavailable(error)).toBe(error);
  expect(isConnectionError(error)).toBe(false);
});

test('a connection to a read-only server is dropped', () => {
  expect(isConnectionError(answered('25006'))).toBe(true);
  expect(isConnectionError(answered('55P03'))).toBe(false);
});
