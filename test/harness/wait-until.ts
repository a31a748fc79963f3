import { setTimeout as sleep } from 'node:timers/promises';

export type WaitOptions = { readonly withinMs?: number; readonly everyMs?: number };

type Truthy<Value> = Exclude<Value, undefined | null | false | 0 | ''>;

/**
 * Reads a state until it is truthy and answers it. The error after a timeout shows the last value or
 * error.
 */
export const waitUntil = async <Value>(
  read: () => Value | Promise<Value>,
  { withinMs = 10_000, everyMs = 20 }: WaitOptions = {},
): Promise<Truthy<Value>> => {
  const deadline = performance.now() + withinMs;
  let seen: unknown;
  do {
    try {
      const value = await read();
      if (value) return value as Truthy<Value>;
      seen = value;
    } catch (error) {
      seen = error;
    }
    await sleep(everyMs);
  } while (performance.now() < deadline);
  throw new Error(`not so within ${withinMs} ms; last seen: ${String(seen)}`, { cause: seen });
};
