import type { Clock } from '#platform/clock.ts';

/** A value that is loaded when first needed, by one caller at a time, and dropped in time. */
export type Remembered<Value> = {
  readonly get: () => Promise<Value>;
  /** Forgets the value, unless it was replaced in the meantime. */
  readonly drop: (value: Value) => void;
};

export type Loaded<Value> = { readonly value: Value; readonly cacheForMs: number };

// A bank that is down is not called for every payer, yet is found again quickly.
const faultCacheMs = 1_000;

export const remember = <Value>(
  clock: Clock,
  load: () => Promise<Loaded<Value>>,
): Remembered<Value> => {
  let loading: Promise<Value> | null = null;
  let cached: { readonly value: Value; readonly untilMs: number } | null = null;
  let fault: { readonly error: unknown; readonly untilMs: number } | null = null;
  const start = async (): Promise<Value> => {
    try {
      const { value, cacheForMs } = await load();
      cached = { value, untilMs: clock.now().getTime() + cacheForMs };
      fault = null;
      return value;
    } catch (error) {
      fault = { error, untilMs: clock.now().getTime() + faultCacheMs };
      throw error;
    } finally {
      loading = null;
    }
  };
  return {
    get: async () => {
      const nowMs = clock.now().getTime();
      if (cached && nowMs < cached.untilMs) return cached.value;
      if (fault && nowMs < fault.untilMs) throw fault.error;
      loading ??= start();
      return loading;
    },
    drop: (value) => {
      if (cached?.value === value) cached = null;
    },
  };
};
