import { setTimeout as sleep } from 'node:timers/promises';

export type WaitOptions = { readonly withinMs?: number; readonly everyMs?: number };

type Truthy<Value> = Exclude<Value, undefined | null | false | 0 | ''>;

/**
 * Reads a state until it is truthy and answers it, each time a little later: a look is a request to the
 * system under test, which needs the CPU itself. The error after a timeout shows the last value or error.
 * It is long, because a state that comes costs nothing: a machine at a third of its speed failed at 10 s.
 */
export const waitUntil = async <Value>(
  read: () => Value | Promise<Value>,
  { withinMs = 45_000, everyMs = 400 }: WaitOptions = {},
): Promise<Truthy<Value>> => {
  const deadline = performance.now() + withinMs;
  let pauseMs = 10;
  let seen: unknown;
  do {
    try {
      const value = await read();
      if (value) return value as Truthy<Value>;
      seen = value;
    } catch (error) {
      seen = error;
    }
    await sleep(Math.min(pauseMs, everyMs));
    pauseMs *= 1.8;
  } while (performance.now() < deadline);
  throw new Error(`not so within ${withinMs} ms; last seen: ${String(seen)}`, { cause: seen });
};
