import { metrics } from '#platform/metrics.ts';

/**
 * How many deliveries an endpoint may be sent now. The rate is known with the first claim, so an
 * excess there is waited for afterwards. `now` is a monotonic clock in milliseconds.
 */
export type RateBucket = {
  perSecond: number | null;
  slots: number;
  at: number;
  /** When there is a slot again. */
  nextAt: number;
};

/** A pause is no reason for a burst of more than a second's worth, nor of more than are sent at once. */
const maxSlots = 8;

export const rateBucket = (): RateBucket => ({ perSecond: null, slots: 0, at: 0, nextAt: 0 });

export const slotsAt = (bucket: RateBucket, now: number): number => {
  if (bucket.perSecond === null) return Number.POSITIVE_INFINITY;
  refill(bucket, bucket.perSecond, now);
  return Math.max(0, Math.floor(bucket.slots));
};

export const takeSlot = (bucket: RateBucket, perSecond: number | null, now: number): void => {
  if (perSecond === null) {
    Object.assign(bucket, rateBucket());
    return;
  }
  if (bucket.perSecond === null)
    Object.assign(bucket, { slots: Math.min(maxSlots, perSecond), at: now });
  bucket.perSecond = perSecond;
  refill(bucket, perSecond, now);
  bucket.slots -= 1;
  // A little late rather than a hair too early, so that the look at this moment finds a whole slot.
  const missing = 1.001 - bucket.slots;
  bucket.nextAt = missing <= 0 ? 0 : now + (missing * 1000) / perSecond;
};

const refill = (bucket: RateBucket, perSecond: number, now: number): void => {
  const grown = bucket.slots + ((now - bucket.at) * perSecond) / 1000;
  bucket.slots = Math.min(maxSlots, perSecond, grown);
  bucket.at = now;
};

/** Runs it and observes how long it took, also when it fails. */
export const timed = async <Value>(name: string, run: () => Promise<Value>): Promise<Value> => {
  const started = performance.now();
  try {
    return await run();
  } finally {
    metrics.observe(name, performance.now() - started);
  }
};

export type WakeablePause = {
  readonly end: () => void;
  readonly for: (durationMs: number) => Promise<void>;
};

const maxDurationMs = 5_000;

/** Sleeps that end early; an end without a sleeper is not lost. */
export const wakeablePause = (): WakeablePause => {
  let endNow: (() => void) | null = null;
  let isWoken = false;
  return {
    end: () => {
      if (endNow) endNow();
      else isWoken = true;
    },
    for: async (durationMs) => {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.min(durationMs, maxDurationMs));
          endNow = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      endNow = null;
      isWoken = false;
    },
  };
};
