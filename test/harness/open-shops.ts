import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Sandbox } from './open-sandbox.ts';

const shopCount = 3;
const pauseMs = 250;

/** Shops that create and pay without a pause, and what was answered with success. */
export const openShops = (
  { request }: Sandbox,
  /** A call that is answered 5xx is repeated for so long by its key, and then is an error. */
  repeatsForMs = 0,
) => {
  const [created, paid, errors]: [string[], string[], string[]] = [[], [], []];
  let isStopped = false;
  const post = async (path: string, body: object) => {
    const until = performance.now() + repeatsForMs;
    const headers = { 'idempotency-key': crypto.randomUUID() };
    for (;;) {
      const reply = await request('POST', path, { body, headers });
      if (reply.status < 500) return reply;
      if (performance.now() >= until) {
        errors.push(`${reply.status} of ${path}`);
        return reply;
      }
      await sleep(pauseMs);
    }
  };
  const trade = async (): Promise<void> => {
    const body = { customerId: 'c', orderId: 'o', amount: 5, expiresIn: 36e5, enableTips: false };
    const made = await post('/api/payments/process-payment', body);
    if (made.status !== 200) return;
    const id: string = made.body.paymentRequestId;
    created.push(id);
    const { status, body: answer } = await post(`/api/sandbox/payment-requests/${id}/pay`, {});
    if (status === 200 && answer.status === 'COMPLETED') paid.push(id);
  };
  const running = Array.from({ length: shopCount }, async () => {
    while (!isStopped) await trade();
  });
  const standing = async (id: string) =>
    (await request('GET', `/api/payments/v1/payment-status/${id}`)).body.status;
  return {
    created,
    paid,
    errors,
    stop: async (): Promise<void> => {
      isStopped = true;
      await Promise.all(running);
    },
    /** By its own API. */
    expectNothingLost: async (): Promise<void> => {
      for (const id of created) expect([id, await standing(id)]).toEqual([id, expect.any(String)]);
      for (const id of paid) expect([id, await standing(id)]).toEqual([id, 'COMPLETED']);
    },
  };
};
