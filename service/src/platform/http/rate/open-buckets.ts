import { setBounded } from '#kernel/set-bounded.ts';
import type { Clock } from '../../clock.ts';

type Bucket = { tokens: number; filledMs: number };

const bucketsMax = 50_000;

/** Token buckets in memory, a second's worth each. Null: go on; else seconds to wait. */
export const openBuckets = (clock: Pick<Clock, 'now'>, perSecond: number) => {
  const buckets = new Map<string, Bucket>();
  return (key: string): number | null => {
    const nowMs = clock.now().getTime();
    const bucket = buckets.get(key) ?? { tokens: perSecond, filledMs: nowMs };
    const gained = (Math.max(0, nowMs - bucket.filledMs) * perSecond) / 1000;
    bucket.tokens = Math.min(perSecond, bucket.tokens + gained);
    bucket.filledMs = nowMs;
    // Moved to the end, so that the one left out for room is the one unused for longest.
    setBounded(buckets, key, bucket, bucketsMax);
    if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perSecond);
    bucket.tokens -= 1;
    return null;
  };
};
