import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '#simulator/limits.ts';
import type { Log } from '#simulator/log.ts';
import { isDatabaseLost } from '#simulator/store/open-pool.ts';
import type { CardTools } from '../ports.ts';
import type { EventStore } from '../store/event-store.ts';
import { applyDueChanges } from '../transaction/apply-due-changes.ts';
import type { EventDeliverer } from './event-deliverer.ts';

// An event that this process commits is delivered at once; a retry is found by looking.
const deliverEveryMs = 500;
const applyEveryMs = 1_000;
const sweepEveryMs = 60_000;
const keyRetentionMs = 24 * 60 * 60 * 1000;

export type Scheduler = {
  // Events wait to be delivered.
  wake(): void;
  stop(): Promise<void>;
};

// Timed work: expires authorisations, delivers events, deletes old idempotency keys.
export const startScheduler = (
  tools: CardTools,
  events: EventStore,
  deliverer: EventDeliverer,
  log: Log,
): Scheduler => {
  const stopping = new AbortController();
  let waking = new AbortController();
  let isWoken = false;
  const wait = (ms: number, signal = stopping.signal) =>
    pause(ms, undefined, { signal }).catch(() => undefined);
  const waitForEvents = async (ms: number): Promise<void> => {
    waking = new AbortController();
    if (!isWoken) await wait(ms, AbortSignal.any([waking.signal, stopping.signal]));
    isWoken = false;
  };

  const repeat = async (
    everyMs: number,
    work: () => Promise<number>,
    waiting: (ms: number) => Promise<unknown> = wait,
  ) => {
    while (!stopping.signal.aborted) {
      const done = await work().catch((error: Error) => {
        if (!isDatabaseLost(error)) log('scheduled work failed', { reason: error.message });
        return 0;
      });
      await waiting(done === 0 ? everyMs : 0);
    }
  };

  const applyDue = async () => {
    const due = await tools.store.due(tools.clock.now());
    for (const record of due) await applyDueChanges(tools, record);
    return due.length;
  };
  const sweep = async () => {
    await events.sweep(tools.clock.now() - keyRetentionMs);
    return 0;
  };

  const running = Promise.all([
    repeat(deliverEveryMs, deliverer.deliverDue, waitForEvents),
    repeat(applyEveryMs, applyDue),
    repeat(sweepEveryMs, sweep),
  ]);
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
