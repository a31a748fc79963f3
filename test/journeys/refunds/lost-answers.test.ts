import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CuttingProxy, openCuttingProxy } from '../../harness/database/open-cutting-proxy.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 60_000 };

let proxy: CuttingProxy;
let sandbox: Sandbox;
beforeAll(async () => {
  proxy = await openCuttingProxy();
  sandbox = await openSandbox({}, proxy.connectThrough);
  // From now on the statement is prepared: one message brings it and its commit.
  expect((await refund(await paid())).status).toBe(200);
});
afterAll(async () => {
  await sandbox.close();
  proxy.close();
});

const paid = async (): Promise<string> => {
  const body = { customerId: 'c', orderId: 'o', amount: 12.5 };
  const made = await sandbox.request('POST', '/api/payments/process-payment', { body });
  const id = made.body.paymentRequestId;
  const path = `/api/sandbox/payment-requests/${id}/pay`;
  expect((await sandbox.request('POST', path, { body: {} })).body.status).toBe('COMPLETED');
  return id;
};
const refund = (paymentRequestId: string, headers: Record<string, string> = {}) =>
  sandbox.request('POST', '/api/refund', { headers, body: { paymentRequestId, amount: 5 } });
const refundIdsOf = (id: string): Promise<readonly string[]> =>
  waitUntil(async () => {
    // The connections that were cut are found out first.
    const reply = await sandbox.request('GET', `/api/refund/${id}`);
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    return reply.body.map(({ refundId }: { refundId: string }) => refundId);
  }, patience);

test('a refund whose commit answer was lost is answered by its id', async () => {
  const id = await paid();
  const before = proxy.cuts();
  proxy.cutAfter('refund_insert');
  const reply = await refund(id);
  expect(proxy.cuts()).toBe(before + 1);
  expect(reply).toMatchObject({ status: 200, body: { status: 'INITIATED', refundAmount: '5.00' } });
  expect(await refundIdsOf(id)).toEqual([reply.body.refundId]);
});

test('a refund with a key whose commit answer was lost happens once', async () => {
  const id = await paid();
  const headers = { 'idempotency-key': 'lost-refund' };
  proxy.cutAfter('refund_insert');
  const reply = await refund(id, headers);
  const again = await refund(id, headers);
  expect([reply.status, again.status]).toEqual([200, 200]);
  expect(again.body).toEqual(reply.body);
  expect(await refundIdsOf(id)).toEqual([reply.body.refundId]);
});

test('a refund whose outcome cannot be read is named, and is not to be sent again', async () => {
  const id = await paid();
  proxy.cutAfter('refund_insert', { staysDown: true });
  const reply = await refund(id);
  proxy.comeBack();
  expect(reply).toMatchObject({
    status: 503,
    body: { name: 'UNAVAILABLE', refundId: expect.any(String) },
  });
  expect(reply.body.message).toMatch(/not known whether the refund was made/);
  expect(reply.body.message).toContain(`GET /api/refund/${id}`);
  expect(reply.body.message).not.toMatch(/retry/i);
  expect(await refundIdsOf(id)).toEqual([reply.body.refundId]);
});
