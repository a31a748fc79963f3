import { Agent, request } from 'node:https';
import { waitUntil } from '../harness/wait-until.ts';
import type { Rig } from './open-rig.ts';

const shopCount = 4;
const patience = { withinMs: 120_000 };

/** Shops behind the proxy, paid by bank and by card. They repeat nothing, so each error is seen. */
export const openShops = (rig: Rig) => {
  const agent = new Agent({ ca: rig.balancer?.authority });
  const errors: string[] = [];
  let paid = 0;
  let isStopped = false;

  /** Each call on a connection of its own: what is reset is seen. */
  const call = (path: string, body: object): Promise<Record<string, unknown>> =>
    new Promise((resolve, reject) => {
      const sent = request(`${rig.balancer?.url}${path}`, {
        agent,
        method: 'POST',
        headers: { authorization: `Bearer ${rig.secret}`, 'content-type': 'application/json' },
      });
      sent.on('error', reject);
      sent.on('response', (answer) => {
        let text = '';
        answer.on('data', (bytes: Buffer) => {
          text += bytes;
        });
        answer.on('error', reject);
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve(JSON.parse(text));
          else reject(new Error(`${path}: ${answer.statusCode} ${text.slice(0, 200)}`));
        });
      });
      sent.end(JSON.stringify(body));
    });
  const pay = async (turn: number): Promise<void> => {
    const order = { customerId: 'c', orderId: `o-${turn}`, amount: 5, expiresIn: 36e5 };
    const made = await call('/api/payments/process-payment', { ...order, enableTips: false });
    const by = turn % 3 === 0 ? { method: 'CARD', cardNumber: '4000000000000127' } : {};
    const path = `/api/sandbox/payment-requests/${made.paymentRequestId}/pay`;
    const { status } = await call(path, by);
    if (status !== 'COMPLETED') throw new Error(`a payment is ${status}`);
    paid += 1;
  };
  const trade = async (): Promise<void> => {
    for (let turn = 0; !isStopped; turn += 1)
      await pay(turn).catch((error: Error) => errors.push(String(error.cause ?? error)));
  };
  const trading = Array.from({ length: shopCount }, trade);
  return {
    errors,
    paid: () => paid,
    /** Each shop has sold something more. */
    goOn: async () => {
      const before = paid;
      await waitUntil(async () => paid > before + shopCount, patience);
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(trading);
      agent.destroy();
    },
  };
};
