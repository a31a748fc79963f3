import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const keyed = (path: string, body: object, key: string) =>
  sandbox.request('POST', path, { body, headers: { 'idempotency-key': key } });
const create = (more: object, key: string) =>
  keyed(
    '/api/payments/process-payment',
    { customerId: 'c', orderId: 'o', amount: 5, ...more },
    key,
  );

test('a stored reply is given again after the customer was deleted', async () => {
  const customer = await sandbox.request('POST', '/api/customers', {
    body: { fullName: 'Ada Payer', email: 'ada@example.com' },
  });
  const more = { atoaCustomerId: customer.body.id };
  const first = await create(more, 'before-delete');
  expect(first.status).toBe(200);
  const deleted = await sandbox.request('DELETE', `/api/customers/${customer.body.id}`);
  expect(deleted.status).toBe(200);
  expect(await create(more, 'after-delete')).toMatchObject({ status: 400 });
  const again = await create(more, 'before-delete');
  expect([again.status, again.body]).toEqual([200, first.body]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
});

test('a stored reply is given again after cards were switched off', async () => {
  const more = { paymentMethod: ['CARD'] };
  const first = await create(more, 'before-switch');
  expect(first.status).toBe(200);
  await sandbox.request('POST', '/api/sandbox/switches', { body: { cardsEnabled: false } });
  expect(await create(more, 'after-switch')).toMatchObject({ status: 403 });
  const again = await create(more, 'before-switch');
  expect([again.status, again.body]).toEqual([200, first.body]);
  const other = await create({ ...more, amount: 6 }, 'before-switch');
  expect(other.body).toMatchObject({ name: 'IDEMPOTENCY_KEY_REUSED', status: 409 });
  await sandbox.request('POST', '/api/sandbox/switches', { body: { cardsEnabled: true } });
});
