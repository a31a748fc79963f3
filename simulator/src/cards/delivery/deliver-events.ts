import { createHmac } from 'node:crypto';
import { isDatabaseLost } from '#simulator/books/pool.ts';
import type { Log } from '#simulator/log.ts';
import type { Delivery, EventStore } from '../books/event-store.ts';
import type { Clock } from '../ports.ts';

const together = 50;
const answerWithinMs = 5_000;
const leaseMs = 15_000;
const firstPauseMs = 1_000;
const longestPauseMs = 5 * 60 * 1000;
const mostAttempts = 30;

export type Postman = {
  // Delivers what is due and answers how much that was.
  round(): Promise<number>;
};

export const postman = (
  events: EventStore,
  webhookSecret: string,
  clock: Clock,
  log: Log,
): Postman => {
  const deliver = async (delivery: Delivery): Promise<void> => {
    const status = await send(delivery, webhookSecret, clock.now());
    const isTaken = status !== null && status >= 200 && status < 300;
    if (isTaken || delivery.attempts + 1 >= mostAttempts) return events.delivered(delivery);
    log('card event not taken', {
      event: delivery.eventId,
      status,
      attempt: delivery.attempts + 1,
    });
    return events.failed(delivery, clock.now() + pauseAfter(delivery.attempts), status);
  };
  return {
    round: async () => {
      const due = await events.takeDue(clock.now(), leaseMs, together);
      const complain = (error: Error) => {
        if (!isDatabaseLost(error)) log('card delivery failed', { reason: error.message });
      };
      await Promise.all(due.map((delivery) => deliver(delivery).catch(complain)));
      return due.length;
    },
  };
};

const pauseAfter = (attempts: number): number =>
  Math.min(firstPauseMs * 2 ** attempts, longestPauseMs);

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
  const signal = AbortSignal.timeout(answerWithinMs);
  const { url, body } = delivery;
  try {
    const reply = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await reply.arrayBuffer();
    return reply.status;
  } catch {
    return null;
  }
};
