import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../harness/wait-until.ts';
import { openRig, type Rig } from './open-rig.ts';
import { callApi } from './pay-persistently.ts';

const patience = { withinMs: 60_000 };

let rig: Rig;
let card: { customerId: string; paymentMethodId: string };
let people = 0;
beforeAll(async () => {
  rig = await openRig();
  card = await saveCard();
}, 180_000);
afterAll(() => rig.close());

const newCustomer = async (): Promise<string> => {
  people += 1;
  const email = `ada${people}@example.com`;
  return String((await callApi(rig, '/api/customers', { fullName: 'Ada Payer', email })).id);
};
const requestPayment = async (more: object = {}): Promise<string> => {
  const body = { customerId: 'c', orderId: 'o', amount: 12.5, ...more };
  return String((await callApi(rig, '/api/payments/process-payment', body)).paymentRequestId);
};
const saveCard = async () => {
  const customerId = await newCustomer();
  const saving = { atoaCustomerId: customerId, savePaymentMethod: true, paymentMethod: ['CARD'] };
  const id = await requestPayment(saving);
  const paid = { method: 'CARD', cardNumber: '4000000000000127' };
  await callApi(rig, `/api/sandbox/payment-requests/${id}/pay`, paid);
  const cards = await callApi<{ id: string }[]>(rig, `/api/customers/${customerId}/cards`);
  return { customerId, paymentMethodId: String(cards[0]?.id) };
};
const authorised = async (): Promise<string> => {
  const body = { ...card, captureType: 'MANUAL_CAPTURE', amount: 20, orderId: `order-${people}` };
  const made = await callApi(rig, '/api/payments/card/process-payment', body);
  const id = String(made.paymentRequestId);
  const status = () => callApi(rig, `/api/payments/v1/payment-status/${id}`);
  await waitUntil(async () => (await status()).status === 'AUTHORIZED', patience);
  return `/api/payments/card/payment-request/${id}`;
};
const endpoint = { url: 'http://127.0.0.1:49151/hook', events: ['EXPIRED_STATUS'] };
const endpoints = '/api/webhook/v2/endpoints';

/** An event type has three slots; each moment creates an endpoint. */
const deleteEndpoints = async (): Promise<void> => {
  const made = await callApi<{ data: { id: string }[] }>(rig, endpoints);
  for (const { id } of made.data)
    await send({ method: 'DELETE', path: `${endpoints}/${id}` }, `delete-${id}`);
};

type Order = { readonly method: string; readonly path: string; readonly body?: object };
type Operation = {
  /** The statement that carries it out. */
  readonly effect: string;
  /** It decides what it begins before. */
  readonly decides?: boolean;
  readonly orderOf: () => Promise<Order>;
};

const operations: Readonly<Record<string, Operation>> = {
  deleteCustomer: {
    ...{ effect: 'card_delete_customer 1', decides: true },
    orderOf: async () => ({ method: 'DELETE', path: `/api/customers/${await newCustomer()}` }),
  },
  promoteSigningSecret: {
    ...{ effect: 'webhook_secret_promote 1', decides: true },
    orderOf: async () => {
      await callApi(rig, '/api/sandbox/webhook/signing-secret', {});
      await callApi(rig, '/api/sandbox/webhook/signing-secret/next', {});
      const path = '/api/sandbox/webhook/signing-secret/promote';
      return { method: 'POST', path, body: { overlapHours: 5 } };
    },
  },
  captureCardPayment: {
    effect: 'payment_commit_change 2',
    orderOf: async () => ({ method: 'POST', path: `${await authorised()}/capture` }),
  },
  cancelCardPayment: {
    effect: 'payment_commit_change 2',
    orderOf: async () => ({ method: 'POST', path: `${await authorised()}/cancel` }),
  },
  deleteCustomerCard: {
    ...{ effect: 'card_delete 1', decides: true },
    orderOf: async () => {
      const { customerId, paymentMethodId } = await saveCard();
      return { method: 'DELETE', path: `/api/customers/${customerId}/cards/${paymentMethodId}` };
    },
  },
  cancelPaymentRequest: {
    effect: 'payment_commit_change 1',
    orderOf: async () => {
      const path = `/api/payment-request/cancel/${await requestPayment()}`;
      return { method: 'POST', path };
    },
  },
  createWebhookEndpoint: {
    ...{ effect: 'webhook_endpoint_insert 1', decides: true },
    orderOf: async () => {
      await deleteEndpoints();
      return { method: 'POST', path: endpoints, body: endpoint };
    },
  },
  deleteWebhookEndpoint: {
    ...{ effect: 'webhook_endpoint_delete 1', decides: true },
    orderOf: async () => {
      const { id } = await callApi(rig, endpoints, { ...endpoint, events: ['REFUND_STATUS'] });
      return { method: 'DELETE', path: `${endpoints}/${id}` };
    },
  },
};

/** The claims of dead programs run out. */
const endClaims = async (): Promise<void> => {
  const client = new pg.Client({ connectionString: rig.databaseUrl });
  await client.connect();
  await client.query(
    `update florin.idempotency set leased_until = clock_timestamp() where status_code is null`,
  );
  await client.end();
};

const send = async ({ method, path, body }: Order, key: string) => {
  const reply = await fetch(`${rig.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${rig.secret}`,
      'idempotency-key': key,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await reply.json()) as { readonly name?: string };
  return { status: reply.status, body: answer };
};

const everyStatement = Object.entries(operations).flatMap(([name, { decides }]) =>
  ['idempotency_claim 1', ...(decides ? ['idempotency_decide 1'] : []), 'its effect']
    .concat('idempotency_save 1')
    .flatMap((statement) => [
      [name, 'before', statement] as const,
      [name, 'after', statement] as const,
    ]),
);

describe('the API is killed in an operation with a key: the same call then answers 200, for ever', {
  timeout: 120_000,
}, () => {
  test.each(everyStatement)('%s, killed %s %s', async (name, moment, statement) => {
    const operation = operations[name];
    if (!operation) throw new Error(name);
    const order = await operation.orderOf();
    const at = statement === 'its effect' ? operation.effect : statement;
    await rig.kill('api');
    await rig.start('api', { KILL_AT: `${moment} ${at}` });
    const key = `${name} ${moment} ${at}`.replaceAll(' ', '-');
    const [lost] = await Promise.allSettled([send(order, key)]);
    await rig.ended('api');
    expect(lost.status).toBe('rejected');
    await rig.start('api');
    await endClaims();
    const first = await waitUntil(async () => {
      const reply = await send(order, key);
      // A capture may need the processor's answer first.
      if (reply.status !== 503) return reply;
      await endClaims();
      return false;
    }, patience);
    expect([name, first.status, first.body.name]).toEqual([name, 200, undefined]);
    expect(await send(order, key)).toEqual(first);
  });
});
