import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoCodes } from '#rails/open-banking-uk/messages/payment-status.ts';
import { isFinalStatus, isNewer, meaningOf } from './outcomes.ts';

const code = fc.constantFrom(...isoCodes);
const report = fc.oneof(code, fc.string({ minLength: 1, maxLength: 4 }));

/** The outcome of these reports, in any order. */
const knownAfter = (reports: readonly string[]): string | null =>
  reports.reduce<string | null>((known, each) => (isNewer(each, known) ? each : known), null);
const meaning = (isoCode: string) => meaningOf({ isoCode, isoName: '', changedAt: null });

describe('the rank of a bank status', () => {
  test('is defined for every status of the standard', () => {
    const saying = (wanted: string) => isoCodes.filter((each) => meaning(each) === wanted);
    expect(saying('UNDER_WAY')).toEqual(['RCVD', 'PDNG', 'ACTC', 'PATC', 'ACCP', 'ACFC']);
    expect(saying('ACCEPTED')).toEqual(['ACSP', 'ACWC']);
    expect(saying('SETTLED')).toEqual(['ACSC', 'ACWP', 'ACCC']);
    expect(saying('REJECTED')).toEqual(['BLCK', 'RJCT', 'CANC']);
  });

  test('is not newer for an equal report, and at most one of two different reports is newer', () => {
    fc.assert(
      fc.property(code, code, (one, other) => {
        expect(isNewer(one, one)).toBe(false);
        expect(isNewer(one, other) && isNewer(other, one)).toBe(false);
      }),
    );
  });

  test('gives the same outcome in any order of reports', () => {
    fc.assert(
      fc.property(fc.array(code, { minLength: 1 }).chain(withOrders), ([one, other]) => {
        expect(meaning(knownAfter(one) ?? '')).toBe(meaning(knownAfter(other) ?? ''));
      }),
    );
  });

  test('keeps a rejection whatever is reported later', () => {
    fc.assert(
      fc.property(fc.array(report), fc.array(report), (before, after) => {
        const known = knownAfter([...before, 'RJCT', ...after]);
        expect(meaning(known ?? '')).toBe('REJECTED');
      }),
    );
  });

  test('never turns accepted or settled money back to pending', () => {
    fc.assert(
      fc.property(fc.array(report), (after) => {
        expect(meaning(knownAfter(['ACSP', ...after]) ?? '')).not.toBe('UNDER_WAY');
        expect(['SETTLED', 'REJECTED']).toContain(meaning(knownAfter(['ACSC', ...after]) ?? ''));
      }),
    );
  });

  test('ignores an unknown status', () => {
    expect(isNewer('XXXX', 'RCVD')).toBe(false);
    expect(meaning('XXXX')).toBe('UNDER_WAY');
  });

  test('keeps polling while the payment is open', () => {
    for (const each of isoCodes)
      if (isFinalStatus(each)) expect(['SETTLED', 'REJECTED']).toContain(meaning(each));
  });
});

const withOrders = (reports: string[]) =>
  fc.tuple(
    fc.constant(reports),
    fc.shuffledSubarray(reports, { minLength: reports.length, maxLength: reports.length }),
  );
