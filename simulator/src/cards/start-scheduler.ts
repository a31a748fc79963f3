import { createHmac } from 'node:crypto';
import { deliverDue } from '#simulator/deliver-due.ts';
import type { Log } from '#simulator/log.ts';
import { type Repeats, startRepeats } from '#simulator/start-repeats.ts';
import type { CardTools, Clock } from './ports.ts';
import type { Delivery, EventStore } from './store/event-store.ts';
import { applyDueChanges } from './transaction/commit-changes.ts';

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

const maxAttempts = 30;

type EventDeliverer = {
  // Delivers what is due and answers the number of deliveries.
  deliverDue(): Promise<number>;
};

export const eventDeliverer = (
  events: EventStore,
  webhookSecret: string,
  clock: Clock,
  log: Log,
): EventDeliverer => ({
  deliverDue: deliverDue<Delivery>(
    events,
    {
      name: 'card event',
      idOf: ({ eventId }) => eventId,
      messageOf: ({ body }, now) => ({ body, headers: headersOf(body, webhookSecret, now) }),
      maxAttempts,
    },
    { clock, log },
  ),
});

const headersOf = (body: string, webhookSecret: string, now: number) => ({
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Stripe/1.0 (simulated)',
  'stripe-signature': signatureOf(body, webhookSecret, now),
});

const signatureOf = (body: string, webhookSecret: string, now: number): string => {
  const stamp = Math.floor(now / 1000);
  const digest = createHmac('sha256', webhookSecret).update(`${stamp}.${body}`).digest('hex');
  return `t=${stamp},v1=${digest}`;
};
