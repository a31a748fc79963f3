import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finalMarginMs, finalSpreadMs, planRetry } from './plan-retry.ts';

const dayMs = 24 * 60 * 60 * 1000;
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Instants of all attempts of a delivery that always fails, in milliseconds from its creation. */
const attemptsOf = (jitters: readonly number[], spread: number): readonly number[] => {
  const at = [0];
  for (let attempt = 1; attempt < 100; attempt += 1) {
    const now = at[attempt - 1] ?? 0;
    const jitter = jitters[attempt % Math.max(1, jitters.length)] ?? 0.5;
    const remainingMs = dayMs - now;
    const wait = planRetry({ attempt, remainingMs, retryAfterMs: null, jitter, spread });
    if (wait === null) return at;
    at.push(now + wait);
  }
  return at;
};

test('the plan has fourteen attempts without jitter, the last in the final quarter of an hour', () => {
  const seconds = attemptsOf([0.5], 0).map((ms) => ms / 1000);
  expect(seconds).toEqual([
    0, 5, 20, 65, 200, 605, 1_820, 5_465, 16_400, 30_800, 45_200, 59_600, 74_000, 86_340,
  ]);
});

test('attempts go forward only, never past the deadline, and end in the final quarter', () => {
  fc.assert(
    fc.property(fc.array(share, { minLength: 1, maxLength: 20 }), share, (jitters, spread) => {
      const at = attemptsOf(jitters, spread);
      for (let each = 1; each < at.length; each += 1)
        expect(at[each]).toBeGreaterThan(at[each - 1] ?? 0);
      const last = at.at(-1) ?? 0;
      expect(last).toBeLessThanOrEqual(dayMs - finalMarginMs);
      expect(last).toBeGreaterThanOrEqual(dayMs - finalSpreadMs);
      expect(at.length).toBeGreaterThanOrEqual(12);
      expect(at.length).toBeLessThanOrEqual(17);
    }),
  );
});

test('pauses are five seconds, then threefold up to four hours, each within a fifth', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), share, (attempt, jitter) => {
      const nominalMs = Math.min(4 * 60 * 60 * 1000, 5_000 * 3 ** (attempt - 1));
      const failed = { attempt, remainingMs: dayMs, retryAfterMs: null, spread: 0 };
      const waitMs = planRetry({ ...failed, jitter }) ?? 0;
      expect(waitMs / nominalMs).toBeGreaterThan(0.799);
      expect(waitMs / nominalMs).toBeLessThan(1.201);
      const [lowest = 0, highest = 0] = [0, 1].map(
        (end) => planRetry({ ...failed, jitter: end }) ?? 0,
      );
      expect(highest - lowest).toBe(Math.round(nominalMs * 0.4));
    }),
  );
});

test('retry-after is followed up to an hour, never past the deadline', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 14 }),
      fc.integer({ min: finalSpreadMs + 1, max: dayMs }),
      fc.integer({ min: 0, max: 10 * dayMs }),
      share,
      share,
      (attempt, remainingMs, retryAfterMs, jitter, spread) => {
        const wait = planRetry({ attempt, remainingMs, retryAfterMs, jitter, spread }) ?? -1;
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(remainingMs);
        const input = Math.min(retryAfterMs, 3_600_000, remainingMs);
        expect(wait).toBeGreaterThanOrEqual(input);
      },
    ),
  );
});
