import type { Clock } from '#platform/clock.ts';

/** A value that is loaded when first needed, by one caller at a time, and forgotten in time. */
export type Remembered<Value> = {
  readonly get: () => Promise<Value>;
  /** Forgets the value, unless it was replaced in the meantime. */
  readonly drop: (value: Value) => void;
};

export type Loaded<Value> = { readonly value: Value; readonly keepForMs: number };

// A bank that is down is not asked by every payer at once, yet is found again quickly.
const keepFaultForMs = 1_000;

export const remember = <Value>(
  clock: Clock,
  load: () => Promise<Loaded<Value>>,
): Remembered<Value> => {
  let loading: Promise<Value> | null = null;
  let kept: { readonly value: Value; readonly untilMs: number } | null = null;
  let fault: { readonly error: unknown; readonly untilMs: number } | null = null;
  const start = async (): Promise<Value> => {
    try {
      const { value, keepForMs } = await load();
      kept = { value, untilMs: clock.now().getTime() + keepForMs };
      fault = null;
      return value;
    } catch (error) {
      fault = { error, untilMs: clock.now().getTime() + keepFaultForMs };
      throw error;
    } finally {
      loading = null;
    }
  };
  return {
    get: async () => {
      const nowMs = clock.now().getTime();
      if (kept && nowMs < kept.untilMs) return kept.value;
      if (fault && nowMs < fault.untilMs) throw fault.error;
      loading ??= start();
      return loading;
    },
    drop: (value) => {
      if (kept?.value === value) kept = null;
    },
  };
};
