import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '#simulator/limits.ts';
import type { Log } from '#simulator/log.ts';
import { isDatabaseLost } from '#simulator/store/open-pool.ts';

type Repeated = {
  readonly everyMs: number;
  // Answers how much it did: after something it is done again at once.
  readonly work: () => Promise<number>;
  readonly isWoken?: boolean;
};

export type Repeats = {
  // There is work: those that are woken do not wait.
  wake(): void;
  stop(): Promise<void>;
};

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
  const repeat = async ({ everyMs, work, ...each }: Repeated): Promise<void> => {
    while (!stopping.signal.aborted) {
      const done = await work().catch((error: Error) => {
        if (!isDatabaseLost(error)) log('scheduled work failed', { reason: error.message });
        return 0;
      });
      const ms = done === 0 ? everyMs : 0;
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
