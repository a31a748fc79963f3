import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hourlyPollsEndAfterMs, nextPollAt, nextResolveAt } from './next-poll-at.ts';

const hour = 3_600_000;
const day = 24 * hour;
const submittedAt = new Date('2026-05-04T10:00:00.000Z');
const at = (ageMs: number) => new Date(submittedAt.getTime() + ageMs);
const gapAt = (ageMs: number): number | null => {
  const next = nextPollAt(submittedAt, at(ageMs));
  return next && next.getTime() - at(ageMs).getTime();
};
const age = fc.integer({ min: 0, max: hourlyPollsEndAfterMs - 1 });

describe('when a bank is asked', () => {
  test('always later than now, at most an hour later, for six business days and more', () => {
    expect(hourlyPollsEndAfterMs).toBeGreaterThanOrEqual(8 * day);
    fc.assert(
      fc.property(age, (ageMs) => {
        expect(gapAt(ageMs)).toBeGreaterThan(0);
        expect(gapAt(ageMs)).toBeLessThanOrEqual(hour);
      }),
    );
  });

  test('never more often as a payment grows older', () => {
    fc.assert(
      fc.property(age, age, (one, other) => {
        const [younger, older] = [Math.min(one, other), Math.max(one, other)];
        expect(gapAt(older)).toBeGreaterThanOrEqual(gapAt(younger) ?? 0);
      }),
    );
  });

  test('the payer who waits sees an outcome within a second, and a day costs few questions', () => {
    expect(gapAt(0)).toBeLessThan(1_000);
    let requested = 0;
    for (let ageMs: number | null = 0; ageMs !== null && ageMs < day; requested += 1)
      ageMs += gapAt(ageMs) ?? Number.POSITIVE_INFINITY;
    expect(requested).toBeLessThan(350);
  });

  test('an order whose fate is unknown is sent again after a second at least', () => {
    expect(nextResolveAt(submittedAt, at(0))).toEqual(at(1_000));
    fc.assert(
      fc.property(age, (ageMs) => {
        const next = nextResolveAt(submittedAt, at(ageMs))?.getTime() ?? 0;
        expect(next - at(ageMs).getTime()).toBeGreaterThanOrEqual(1_000);
        expect(next).toBeGreaterThanOrEqual(nextPollAt(submittedAt, at(ageMs))?.getTime() ?? 0);
      }),
    );
    const daily = nextResolveAt(submittedAt, at(hourlyPollsEndAfterMs));
    expect(daily).toEqual(at(hourlyPollsEndAfterMs + day));
  });

  test('settled money is polled a few times, and once more on the last business days', () => {
    const settled = (ageMs: number) => nextPollAt(submittedAt, at(ageMs), true)?.getTime();
    let requested = 0;
    for (let next = settled(0); next; next = settled(next - submittedAt.getTime())) requested += 1;
    expect(requested).toBeLessThan(10);
    expect(settled(6 * day)).toBeGreaterThan(at(8 * day).getTime());
    expect(settled(hourlyPollsEndAfterMs)).toBeUndefined();
  });

  test('asking ends when nothing can be expected any more', () => {
    expect(gapAt(hourlyPollsEndAfterMs)).toBe(day);
    expect(gapAt(hourlyPollsEndAfterMs + 400 * day)).toBe(day);
  });

  test('a clock that went back asks soon, not never', () => {
    expect(gapAt(-hour)).toBeLessThan(1_000);
  });
});
