import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../harness/wait-until.ts';
import type { Rig } from './open-rig.ts';

const shopCount = 4;
const patience = { withinMs: 120_000 };
const pauseMs = 250;

type Reply = { readonly status: number; readonly body: Record<string, unknown> };

type Options = {
  /** Calls that get no answer, or 5xx, are repeated for so long by their key; 0: each error is seen. */
  readonly repeatsForMs?: number;
};

/** Shops behind the proxy, paid by bank and by card. */
export const openProxiedShops = (rig: Rig, { repeatsForMs = 0 }: Options = {}) => {
  const agent = new Agent({ ca: rig.balancer?.authority });
  const errors: string[] = [];
  const requested: string[] = [];
  const paid: string[] = [];
  let isStopped = false;

  const repeat = async (send: () => Promise<Reply>): Promise<Reply> => {
    const until = performance.now() + repeatsForMs;
    for (;;) {
      const reply = await send().catch((error: Error) => String(error.cause ?? error));
      if (typeof reply !== 'string' && reply.status < 500) return reply;
      if (performance.now() >= until) throw errors.push(JSON.stringify(reply).slice(0, 200));
      await sleep(pauseMs);
    }
  };
  const call = (method: string, path: string, body?: object, key?: string): Promise<Reply> =>
    repeat(() => callOnce(rig, agent, { method, path, body, key }));
  const create = async (orderId: string): Promise<string> => {
    const order = { customerId: 'c', orderId, amount: 5, expiresIn: 36e5, enableTips: false };
    const made = await call('POST', '/api/payments/process-payment', order, orderId);
    const id = String(made.body.paymentRequestId);
    requested.push(id);
    return id;
  };
  const pay = async (id: string, by: object): Promise<void> => {
    const { body } = await call('POST', `/api/sandbox/payment-requests/${id}/pay`, by);
    if (body.status === 'COMPLETED') paid.push(id);
    else if (repeatsForMs === 0) errors.push(`a payment is ${JSON.stringify(body)}`);
    else if (!isStopped) await payAgain(id, by);
  };
  /** It may be paid although nobody was told. */
  const payAgain = async (id: string, by: object): Promise<void> => {
    await sleep(pauseMs);
    const { body } = await call('GET', `/api/payments/v1/payment-status/${id}`);
    if (body.status === 'COMPLETED') paid.push(id);
    else await pay(id, by);
  };
  const trade = async (_: unknown, shop: number): Promise<void> => {
    for (let turn = 0; !isStopped; turn += 1) {
      const isByCard = turn % 3 === 0;
      const by = isByCard ? { method: 'CARD', cardNumber: '4000000000000127' } : {};
      await create(`order-${shop}-${turn}`)
        .then((id) => pay(id, by))
        .catch(() => undefined);
    }
  };
  const trading = Promise.all(Array.from({ length: shopCount }, trade));
  return {
    errors,
    requested,
    paid,
    /** Each shop has sold something more. */
    goOn: async () => {
      const before = paid.length;
      await waitUntil(async () => paid.length > before + shopCount, { ...patience, everyMs: 100 });
    },
    stop: async () => {
      isStopped = true;
      await trading;
      agent.destroy();
    },
  };
};

type Sent = {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly key?: string | undefined;
};

/** On a connection of its own: what is reset is seen. */
const callOnce = (rig: Rig, agent: Agent, { method, path, body, key }: Sent): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = request(`${rig.balancer?.url}${path}`, {
      agent,
      method,
      headers: {
        authorization: `Bearer ${rig.secret}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
    });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      let text = '';
      answer.on('data', (bytes: Buffer) => {
        text += bytes;
      });
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: parse(text) }));
    });
    sent.end(body ? JSON.stringify(body) : undefined);
  });

const parse = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
};
