import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rateBucket, slotsAt, takeSlot } from './pacing.ts';

test('without a rate everything is allowed', () => {
  const bucket = rateBucket();
  takeSlot(bucket, null, 5);
  expect(slotsAt(bucket, 5)).toBe(Number.POSITIVE_INFINITY);
});

test('a bucket never allows more than the rate plus one burst', () => {
  const looks = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), looks, (perSecond, waits) => {
      const bucket = rateBucket();
      takeSlot(bucket, perSecond, 0);
      let now = 0;
      let taken = 1;
      for (const wait of waits) {
        now += wait;
        for (let left = slotsAt(bucket, now); left > 0; left -= 1) {
          takeSlot(bucket, perSecond, now);
          taken += 1;
        }
      }
      expect(taken).toBeLessThanOrEqual((now * perSecond) / 1000 + Math.min(8, perSecond) + 0.01);
    }),
  );
});

test('a bucket answers when the next request is allowed', () => {
  const bucket = rateBucket();
  for (let each = 0; each < 3; each += 1) takeSlot(bucket, 2, 0);
  expect(slotsAt(bucket, 900)).toBe(0);
  expect(bucket.nextAt).toBeGreaterThan(999);
  expect(slotsAt(bucket, bucket.nextAt)).toBe(1);
});
