import { createHmac } from 'node:crypto';
import type { Log } from '#simulator/log.ts';
import { isDatabaseLost } from '#simulator/store/open-pool.ts';
import type { Clock } from '../ports.ts';
import type { Delivery, EventStore } from '../store/event-store.ts';

const deliveryBatchSize = 50;
const answerTimeoutMs = 5_000;
const leaseMs = 15_000;
const firstPauseMs = 1_000;
const maxPauseMs = 5 * 60 * 1000;
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
): EventDeliverer => {
  const deliver = async (delivery: Delivery): Promise<void> => {
    const status = await send(delivery, webhookSecret, clock.now());
    const isAccepted = status !== null && status >= 200 && status < 300;
    if (isAccepted || delivery.attempts + 1 >= maxAttempts) return events.delivered(delivery);
    log('card event not accepted', {
      event: delivery.eventId,
      status,
      attempt: delivery.attempts + 1,
    });
    return events.failed(delivery, clock.now() + pauseAfter(delivery.attempts), status);
  };
  return {
    deliverDue: async () => {
      const due = await events.takeDue(clock.now(), leaseMs, deliveryBatchSize);
      const logFailure = (error: Error) => {
        if (!isDatabaseLost(error)) log('card delivery failed', { reason: error.message });
      };
      await Promise.all(due.map((delivery) => deliver(delivery).catch(logFailure)));
      return due.length;
    },
  };
};

const pauseAfter = (attempts: number): number => Math.min(firstPauseMs * 2 ** attempts, maxPauseMs);

const signatureOf = (body: string, webhookSecret: string, now: number): string => {
  const stamp = Math.floor(now / 1000);
  const digest = createHmac('sha256', webhookSecret).update(`${stamp}.${body}`).digest('hex');
  return `t=${stamp},v1=${digest}`;
};

const send = async (delivery: Delivery, secret: string, now: number): Promise<number | null> => {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Stripe/1.0 (simulated)',
    'stripe-signature': signatureOf(delivery.body, secret, now),
  };
  const signal = AbortSignal.timeout(answerTimeoutMs);
  const { url, body } = delivery;
  try {
    const reply = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await reply.arrayBuffer();
    return reply.status;
  } catch {
    return null;
  }
};
