import { expect } from 'vitest';
import type { Sandbox } from './open-sandbox.ts';

const shopCount = 3;

/** Shops that create and pay without a pause and repeat nothing, and what was answered with success. */
export const openShops = ({ request }: Sandbox) => {
  const [created, paid]: [string[], string[]] = [[], []];
  let isStopped = false;
  const trade = async (): Promise<void> => {
    const body = { customerId: 'c', orderId: 'o', amount: 5, expiresIn: 36e5, enableTips: false };
    const made = await request('POST', '/api/payments/process-payment', { body });
    if (made.status !== 200) return;
    const id: string = made.body.paymentRequestId;
    created.push(id);
    const path = `/api/sandbox/payment-requests/${id}/pay`;
    const { status, body: answer } = await request('POST', path, { body: {} });
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
