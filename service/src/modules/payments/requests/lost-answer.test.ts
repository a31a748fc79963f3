import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type CuttingProxy,
  openCuttingProxy,
} from '../../../../../test/harness/database/open-cutting-proxy.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { openPayments, type Payments } from '../test/open-payments.ts';

let proxy: CuttingProxy;
let payments: Payments;

beforeAll(async () => {
  proxy = await openCuttingProxy();
  payments = await openPayments({ connectThrough: proxy.connectThrough });
  // From now on the statement is prepared: one message brings it and its commit.
  await payments.create();
});
afterAll(async () => {
  await payments.close();
  proxy.close();
});

test('a create whose commit answer was lost is answered by its id', async () => {
  const before = await payments.count('payment_request');
  proxy.cutAfter('payment_request_insert');
  const reply = await payments.create();
  expect(proxy.cuts()).toBe(1);
  expect(reply).toMatchObject({ status: 200, body: { paymentRequestId: expect.any(String) } });
  expect(await payments.count('payment_request')).toBe(before + 1);
});

test('a create with a key whose commit answer was lost happens once', async () => {
  const before = await payments.count('payment_request');
  const headers = { 'idempotency-key': 'lost-answer' };
  proxy.cutAfter('payment_request_insert');
  const reply = await payments.create({}, { headers });
  const again = await payments.create({}, { headers });
  expect([reply.status, again.status]).toEqual([200, 200]);
  expect(again.body).toEqual(reply.body);
  expect(await payments.count('payment_request')).toBe(before + 1);
});

test('a 503 names the id to poll while the outcome cannot be read', async () => {
  const before = await payments.count('payment_request');
  proxy.cutAfter('payment_request_insert', { staysDown: true });
  const reply = await payments.create();
  proxy.comeBack();
  expect(reply).toMatchObject({
    status: 503,
    headers: { 'retry-after': expect.anything() },
    body: { name: 'UNAVAILABLE', paymentRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });
  await waitUntil(async () => {
    // The connections that were cut are found out first.
    const rows = await payments.count('payment_request').catch(() => 0);
    return rows === before + 1;
  });
});
