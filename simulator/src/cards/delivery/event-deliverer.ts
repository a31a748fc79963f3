import { createHmac } from 'node:crypto';
import { deliverDue } from '#simulator/delivery/deliver-due.ts';
import type { Log } from '#simulator/log.ts';
import type { Clock } from '../ports.ts';
import type { Delivery, EventStore } from '../store/event-store.ts';

const maxAttempts = 30;

export type EventDeliverer = {
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
