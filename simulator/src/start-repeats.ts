import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '#simulator/limits.ts';
import type { Log } from '#simulator/log.ts';
import { isDatabaseLost } from '#simulator/store/database.ts';

type Repeated = {
  // Answers for how many milliseconds it rests.
  readonly work: () => Promise<number>;
  readonly isWoken?: boolean;
};

export type Repeats = {
  // There is work: those that are woken do not wait.
  wake(): void;
  stop(): Promise<void>;
};

const restAfterFailureMs = 1_000;

export const startRepeats = (repeated: readonly Repeated[], log: Log): Repeats => {
  const stopping = new AbortController();
  let waking = new AbortController();
  let isWoken = false;
  const wait = (ms: number, signal = stopping.signal) =>
    pause(ms, undefined, { signal }).catch(() => undefined);
  const waitForWake = async (ms: number): Promise<void> => {
    waking = new AbortController();
    if (!isWoken) await wait(ms, AbortSignal.any([waking.signal, stopping.signal]));
    isWoken = false;
  };
  const repeat = async ({ work, ...each }: Repeated): Promise<void> => {
    while (!stopping.signal.aborted) {
      const ms = await work().catch((error: Error) => {
        if (!isDatabaseLost(error)) log('scheduled work failed', { reason: error.message });
        return restAfterFailureMs;
      });
      await (each.isWoken ? waitForWake(ms) : wait(ms));
    }
  };
  const running = Promise.all(repeated.map(repeat));
  return {
    wake: () => {
      isWoken = true;
      waking.abort();
    },
    stop: async () => {
      stopping.abort();
      // Does not wait for a receiver that hangs: its event is sent again after the lease.
      await Promise.race([running, pause(limits.drainMs)]);
    },
  };
};
