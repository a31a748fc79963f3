import { createHmac } from 'node:crypto';
import type { Log } from '#simulator/log.ts';
import { isDatabaseLost } from '#simulator/store/database.ts';
import type { Clock } from '#simulator/system-clock.ts';

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
  delivered(delivery: Delivery): Promise<unknown>;
  failed(delivery: Delivery, nextAt: number, status: number | undefined): Promise<unknown>;
};

type Message = {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

type Sender<Delivery> = {
  // In the log: what is sent, and which one.
  readonly name: string;
  readonly idOf: (delivery: Delivery) => string;
  readonly messageOf: (delivery: Delivery, now: number) => Promise<Message> | Message;
  readonly maxAttempts: number;
  readonly lookEveryMs: number;
};

// Delivers what is due; after something it looks again at once.
export const deliverDue =
  <Delivery extends Outgoing>(
    outbox: Outbox<Delivery>,
    sender: Sender<Delivery>,
    { clock, log }: { readonly clock: Clock; readonly log: Log },
  ) =>
  async (): Promise<number> => {
    const deliver = async (delivery: Delivery): Promise<unknown> => {
      const message = await sender.messageOf(delivery, clock.now());
      const status = await post(delivery.url, message);
      const attempt = delivery.attempts + 1;
      const isAccepted = isTaken(status);
      if (isAccepted || attempt >= sender.maxAttempts) return outbox.delivered(delivery);
      log(`${sender.name} not accepted`, { event: sender.idOf(delivery), status, attempt });
      return outbox.failed(delivery, clock.now() + pauseAfter(delivery.attempts), status);
    };
    const logFailure = (error: Error) => {
      if (!isDatabaseLost(error)) log(`${sender.name} failed`, { reason: error.message });
    };
    const due = await outbox.takeDue(clock.now(), leaseMs, deliveryBatchSize);
    await Promise.all(due.map((delivery) => deliver(delivery).catch(logFailure)));
    return due.length === 0 ? sender.lookEveryMs : 0;
  };

const pauseAfter = (attempts: number): number => Math.min(firstPauseMs * 2 ** attempts, maxPauseMs);

export const isTaken = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300;

// Undefined: there was no answer.
export const post = async (url: string, { body, headers }: Message) => {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  try {
    const reply = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await reply.arrayBuffer();
    return reply.status;
  } catch {
    return undefined;
  }
};

// As card processors sign what they send: the moment, and a digest of it with the body.
export const signatureOf = (body: string, secret: string, now: number): string => {
  const stamp = Math.floor(now / 1000);
  const digest = createHmac('sha256', secret).update(`${stamp}.${body}`).digest('hex');
  return `t=${stamp},v1=${digest}`;
};
