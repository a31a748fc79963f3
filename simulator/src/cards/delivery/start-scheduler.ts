import { type Repeats, startRepeats } from '#simulator/delivery/start-repeats.ts';
import type { Log } from '#simulator/log.ts';
import type { CardTools } from '../ports.ts';
import type { EventStore } from '../store/event-store.ts';
import { applyDueChanges } from '../transaction/apply-due-changes.ts';
import type { EventDeliverer } from './event-deliverer.ts';

// An event that this process commits is delivered at once; a retry is found by looking.
const deliverEveryMs = 500;
const applyEveryMs = 1_000;
const sweepEveryMs = 60_000;
const keyRetentionMs = 24 * 60 * 60 * 1000;

// Timed work: expires authorisations, delivers events, deletes old idempotency keys.
export const startScheduler = (
  tools: CardTools,
  events: EventStore,
  deliverer: EventDeliverer,
  log: Log,
): Repeats => {
  const applyDue = async () => {
    const due = await tools.store.due(tools.clock.now());
    for (const record of due) await applyDueChanges(tools, record);
    return due.length;
  };
  const sweep = async () => {
    await events.sweep(tools.clock.now() - keyRetentionMs);
    return 0;
  };
  return startRepeats(
    [
      { everyMs: deliverEveryMs, work: deliverer.deliverDue, isWoken: true },
      { everyMs: applyEveryMs, work: applyDue },
      { everyMs: sweepEveryMs, work: sweep },
    ],
    log,
  );
};
