import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hourlyPollsEndAfterMs, nextPollAt, nextResolveAt } from './plan-polls.ts';

const hour = 3_600_000;
const day = 24 * hour;
const submittedAt = new Date('2026-05-04T10:00:00.000Z');
const at = (ageMs: number) => new Date(submittedAt.getTime() + ageMs);
const gapAt = (ageMs: number): number | null => {
  const next = nextPollAt(submittedAt, at(ageMs));
  return next && next.getTime() - at(ageMs).getTime();
};
const age = fc.integer({ min: 0, max: hourlyPollsEndAfterMs - 1 });

describe('the time of the next poll', () => {
  test('is in the future, at most an hour ahead, for six business days and more', () => {
    expect(hourlyPollsEndAfterMs).toBeGreaterThanOrEqual(8 * day);
    fc.assert(
      fc.property(age, (ageMs) => {
        expect(gapAt(ageMs)).toBeGreaterThan(0);
        expect(gapAt(ageMs)).toBeLessThanOrEqual(hour);
      }),
    );
  });

  test('never gets closer as a payment grows older', () => {
    fc.assert(
      fc.property(age, age, (one, other) => {
        const [younger, older] = [Math.min(one, other), Math.max(one, other)];
        expect(gapAt(older)).toBeGreaterThanOrEqual(gapAt(younger) ?? 0);
      }),
    );
  });

  test('shows a waiting payer the outcome within a second, with few polls a day', () => {
    expect(gapAt(0)).toBeLessThan(1_000);
    let requested = 0;
    for (let ageMs: number | null = 0; ageMs !== null && ageMs < day; requested += 1)
      ageMs += gapAt(ageMs) ?? Number.POSITIVE_INFINITY;
    expect(requested).toBeLessThan(350);
  });

  test('is at least a second after a submission with an unknown outcome', () => {
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

  test('is planned a few times after settlement, and on the last business days', () => {
    const settled = (ageMs: number) => nextPollAt(submittedAt, at(ageMs), true)?.getTime();
    let requested = 0;
    for (let next = settled(0); next; next = settled(next - submittedAt.getTime())) requested += 1;
    expect(requested).toBeLessThan(10);
    expect(settled(6 * day)).toBeGreaterThan(at(8 * day).getTime());
    expect(settled(hourlyPollsEndAfterMs)).toBeUndefined();
  });

  test('ends when nothing more can be expected', () => {
    expect(gapAt(hourlyPollsEndAfterMs)).toBe(day);
    expect(gapAt(hourlyPollsEndAfterMs + 400 * day)).toBe(day);
  });

  test('is soon when the clock went back', () => {
    expect(gapAt(-hour)).toBeLessThan(1_000);
  });
});
