import type { Log } from '#simulator/log.ts';
import { isDatabaseLost } from '#simulator/store/open-pool.ts';

const deliveryBatchSize = 50;
const answerTimeoutMs = 5_000;
const leaseMs = 15_000;
const firstPauseMs = 1_000;
const maxPauseMs = 5 * 60 * 1000;

// Sent until it is taken, with growing pauses, and given up after `maxAttempts`.
export type Outgoing = { readonly url: string; readonly attempts: number };

export type Outbox<Delivery extends Outgoing> = {
  // Claims what is due until the lease ends: a process that dies in between loses nothing.
  takeDue(now: number, leaseMs: number, maxDeliveries: number): Promise<readonly Delivery[]>;
  delivered(delivery: Delivery): Promise<void>;
  failed(delivery: Delivery, nextAt: number, status: number | null): Promise<void>;
};

export type Message = {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

type Sender<Delivery> = {
  // In the log: what is sent, and which one.
  readonly name: string;
  readonly idOf: (delivery: Delivery) => string;
  readonly messageOf: (delivery: Delivery, now: number) => Promise<Message> | Message;
  readonly maxAttempts: number;
};

// Delivers what is due and answers the number of deliveries.
export const deliverDue =
  <Delivery extends Outgoing>(
    outbox: Outbox<Delivery>,
    sender: Sender<Delivery>,
    { clock, log }: { readonly clock: { now(): number }; readonly log: Log },
  ) =>
  async (): Promise<number> => {
    const deliver = async (delivery: Delivery): Promise<void> => {
      const message = await sender.messageOf(delivery, clock.now());
      const status = await send(delivery.url, message);
      const attempt = delivery.attempts + 1;
      const isAccepted = status !== null && status >= 200 && status < 300;
      if (isAccepted || attempt >= sender.maxAttempts) return outbox.delivered(delivery);
      log(`${sender.name} not accepted`, { event: sender.idOf(delivery), status, attempt });
      return outbox.failed(delivery, clock.now() + pauseAfter(delivery.attempts), status);
    };
    const logFailure = (error: Error) => {
      if (!isDatabaseLost(error)) log(`${sender.name} failed`, { reason: error.message });
    };
    const due = await outbox.takeDue(clock.now(), leaseMs, deliveryBatchSize);
    await Promise.all(due.map((delivery) => deliver(delivery).catch(logFailure)));
    return due.length;
  };

const pauseAfter = (attempts: number): number => Math.min(firstPauseMs * 2 ** attempts, maxPauseMs);

const send = async (url: string, { body, headers }: Message): Promise<number | null> => {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  try {
    const reply = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await reply.arrayBuffer();
    return reply.status;
  } catch {
    return null;
  }
};
