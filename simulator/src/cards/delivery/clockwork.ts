import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseLost } from '#simulator/books/pool.ts';
import { limits } from '#simulator/limits.ts';
import type { Log } from '#simulator/log.ts';
import type { EventStore } from '../books/event-store.ts';
import { settle } from '../desk/settle.ts';
import type { CardTools } from '../ports.ts';
import type { Postman } from './deliver-events.ts';

const restMs = 100;
const settleEveryMs = 1_000;
const sweepEveryMs = 60_000;
const keptForMs = 24 * 60 * 60 * 1000;

export type Clockwork = {
  stop(): Promise<void>;
};

// What happens without anybody asking: authorisations run out, events go out, old keys are dropped.
export const startClockwork = (
  tools: CardTools,
  events: EventStore,
  post: Postman,
  log: Log,
): Clockwork => {
  const stopping = new AbortController();
  const rest = (ms: number) =>
    pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  const repeat = async (everyMs: number, work: () => Promise<number>) => {
    while (!stopping.signal.aborted) {
      const done = await work().catch((error: Error) => {
        if (!isDatabaseLost(error)) log('clockwork stuck', { reason: error.message });
        return 0;
      });
      await rest(done === 0 ? everyMs : 0);
    }
  };

  const settleDue = async () => {
    const due = await tools.store.due(tools.clock.now());
    for (const record of due) await settle(tools, record);
    return due.length;
  };
  const sweep = async () => {
    await events.sweep(tools.clock.now() - keptForMs);
    return 0;
  };

  const running = Promise.all([
    repeat(restMs, post.round),
    repeat(settleEveryMs, settleDue),
    repeat(sweepEveryMs, sweep),
  ]);
  return {
    stop: async () => {
      stopping.abort();
      // A receiver that hangs keeps nobody: what is under way is sent again after its lease.
      await Promise.race([running, pause(limits.drainMs)]);
    },
  };
};
