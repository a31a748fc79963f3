import { deliverDue, signatureOf } from '#simulator/deliver-due.ts';
import { limits } from '#simulator/limits.ts';
import type { Log } from '#simulator/log.ts';
import { type Repeats, startRepeats } from '#simulator/start-repeats.ts';
import type { Delivery, EventStore } from './event-store.ts';
import type { CardTools } from './ports.ts';
import { applyDueChanges } from './transaction/commit-changes.ts';

// An event that this process commits is delivered at once; a retry is found by looking.
const deliverEveryMs = 500;
const applyEveryMs = 1_000;
const keyRetentionMs = 24 * 60 * 60 * 1000;
const maxAttempts = 30;

// Timed work: expires authorisations, delivers events, deletes old idempotency keys.
export const startScheduler = (tools: CardTools, events: EventStore, log: Log): Repeats => {
  const applyDue = async () => {
    const due = await tools.store.due(tools.clock.now());
    for (const record of due) await applyDueChanges(tools, record);
    return due.length === 0 ? applyEveryMs : 0;
  };
  const sweep = async () => {
    await events.sweep(tools.clock.now() - keyRetentionMs);
    return limits.sweepIntervalMs;
  };
  const { clock, secrets } = tools;
  const sender = {
    name: 'card event',
    idOf: ({ eventId }: Delivery) => eventId,
    messageOf: ({ body }: Delivery, now: number) => ({
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (simulated)',
        'stripe-signature': signatureOf(body, secrets.webhookSecret, now),
      },
    }),
    maxAttempts,
    lookEveryMs: deliverEveryMs,
  };
  return startRepeats(
    [
      { work: deliverDue(events, sender, { clock, log }), isWoken: true },
      { work: applyDue },
      { work: sweep },
    ],
    log,
  );
};
