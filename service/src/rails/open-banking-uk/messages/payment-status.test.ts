import { expect, test } from 'vitest';
import { isKnownStatus, isoCodes, readConsentStatus, readIsoStatus } from './payment-status.ts';

test('every status of version 4 is known by its code', () => {
  expect(isoCodes).toHaveLength(14);
  for (const code of isoCodes) expect(readIsoStatus(code)?.isoCode).toBe(code);
});

test.each([
  ['Pending', 'PDNG'],
  ['AcceptedSettlementInProcess', 'ACSP'],
  ['AcceptedSettlementCompleted', 'ACSC'],
  ['AcceptedCreditSettlementCompleted', 'ACCC'],
  ['AcceptedWithoutPosting', 'ACWP'],
  ['Rejected', 'RJCT'],
])('%s of version 3 means %s', (text, code) => {
  expect(readIsoStatus(text)?.isoCode).toBe(code);
});

test('the names are those of the wire', () => {
  expect(readIsoStatus('ACSC')?.isoName).toBe('AcceptedSettlementCompletedDebitorAccount');
});

test.each(['', 'NO STATUS', 'x'.repeat(65), '\u0000'])('%j is no status', (text) => {
  expect(readIsoStatus(text)).toBeNull();
});

test.each(['acsc', 'toString', '__proto__', 'DONE'])('%j is none that is known', (text) => {
  expect(readIsoStatus(text)).toEqual({ isoCode: text, isoName: text });
  expect(isKnownStatus(text)).toBe(false);
  expect(readConsentStatus(text)).toBeNull();
});
