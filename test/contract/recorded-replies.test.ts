import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../contract/operations.ts';
import { requestExamples } from '../../contract/published/request-examples.ts';
import { openReceiver } from '../harness/open-receiver.ts';
import { openSandbox, type Sandbox, type SandboxReply } from '../harness/open-sandbox.ts';
import { waitUntil } from '../harness/wait-until.ts';

const file = new URL('../../contract/published/recorded-replies.json', import.meta.url);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

/** What happens to one order of one shop: each reply by the operation that gave it. */
const liveThroughAnOrder = async (receiverUrl: string): Promise<Record<string, unknown>> => {
  const replies: Record<string, unknown> = {};
  const call = async (id: string, changes: object | null, ids: readonly string[] = []) => {
    const operation = operations.find((each) => each.id === id);
    if (!operation) throw new Error(`${id} is no operation`);
    const left = [...ids];
    const path = operation.path.replace(/:\w+/g, () => left.shift() ?? '');
    const body = changes && { ...Object(requestExamples[id]), ...changes };
    const reply = await sandbox.request(operation.method, path, body ? { body } : {});
    if (reply.status !== 200) throw new Error(`${id} answered ${JSON.stringify(reply.body)}`);
    replies[id] ??= reply.body;
    return reply.body as SandboxReply['body'];
  };
  const statusBecomes = (id: string, status: string) =>
    waitUntil(async () => {
      const path = `/api/payments/v1/payment-status/${id}`;
      return (await sandbox.request('GET', path)).body.status === status;
    });

  await call('getIdentity', null);
  await call('listStores', null);
  await call('listWebhookEventTypes', null);
  await call('createWebhookEndpoint', { url: receiverUrl });
  await call('listWebhookEndpoints', null);
  await call('triggerTestWebhook', {});
  const customer = await call('createCustomer', {});
  await call('getCustomer', null, [customer.id]);
  await call('updateCustomer', {}, [customer.id]);
  await call('listCustomers', null);
  await call('setSandboxSwitches', {});

  const { paymentRequestId: paid } = await call('requestPayment', {});
  await call('payInSandbox', {}, [paid]);
  await statusBecomes(paid, 'COMPLETED');
  await call('getPaymentStatus', null, [paid]);
  await call('searchTransactions', { fromDate: undefined });
  await call('requestRefund', { paymentRequestId: paid });
  await call('listRefunds', null, [paid]);

  const saving = { savePaymentMethod: true, paymentMethod: ['CARD'], atoaCustomerId: customer.id };
  const { paymentRequestId: byCard } = await call('requestPayment', saving);
  await call(
    'payInSandbox',
    { outcome: undefined, method: 'CARD', cardNumber: '4000000000000127' },
    [byCard],
  );
  const [card] = await call('listCustomerCards', null, [customer.id]);
  await call('getCustomerCard', null, [customer.id, card.id]);
  await call('chargeCard', { customerId: customer.id, paymentMethodId: card.id });
  const { paymentRequestId: unpaid } = await call('requestPayment', {});
  await call('cancelPaymentRequest', null, [unpaid]);
  return replies;
};

/** Ids, times and addresses of another run are other ones: each becomes the same in every run. */
const steady = (replies: unknown): unknown => {
  const ids = new Map<string, string>();
  const text = JSON.stringify(replies)
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      const known = ids.get(id) ?? `6c1f0f0e-52f5-4d0e-9a4b-${String(ids.size).padStart(12, '0')}`;
      ids.set(id, known);
      return known;
    })
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-20T10:00:00.000Z')
    .replaceAll(sandbox.url, 'https://pay.example')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://shop.example');
  return JSON.parse(text);
};

/** Which members there are, of which types. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
};

test('the replies that the reference shows are those of the product', async () => {
  const receiver = await openReceiver();
  const replies = steady(await liveThroughAnOrder(`${receiver.url}/`));
  await receiver.close();
  if (process.env.RECORD_REPLIES) await writeFile(file, `${JSON.stringify(replies, null, 2)}\n`);
  const recorded = JSON.parse(await readFile(file, 'utf8'));
  expect(shapeOf(recorded), 'run npm run record-replies, then npm run generate').toEqual(
    shapeOf(replies),
  );
});
