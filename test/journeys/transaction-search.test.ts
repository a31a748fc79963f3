import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const create = async (more: object = {}): Promise<string> => {
  const body = { customerId: 'customer-1', orderId: 'order-1', amount: 12.5, ...more };
  return (await sandbox.request('POST', '/api/payments/process-payment', { body })).body
    .paymentRequestId;
};
const pay = (id: string, outcome = 'COMPLETED') =>
  sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body: { outcome } });
const find = async (body: object) =>
  (await sandbox.request('POST', '/api/payments/transactions', { body })).body;
const idsOf = (found: { data: { paymentRequestId: string }[] }) =>
  found.data.map(({ paymentRequestId }) => paymentRequestId);

test('finds a payment by the texts of merchant and bank, as they change', async () => {
  const untouched = await create({ orderId: 'INV-0001' });
  const paid = await create({ orderId: 'INV-0042', amount: 30 });
  const failed = await create({
    orderId: 'INV-0043',
    consumerDetails: { firstName: 'Zoë', lastName: 'Quill' },
  });
  await pay(paid);
  await pay(failed, 'FAILED');
  await pay(failed, 'CANCELLED');
  expect((await find({})).totalCount).toBe(3);
  expect(idsOf(await find({ search: untouched }))).toEqual([]);
  expect(idsOf(await find({ search: 'inv-0042' }))).toEqual([paid]);
  expect(idsOf(await find({ search: '42' }))).toEqual([paid]);
  expect(idsOf(await find({ search: '£30' }))).toEqual([paid]);
  expect(idsOf(await find({ search: paid.slice(0, 8) }))).toEqual([paid]);
  expect(idsOf(await find({ search: 'zoe quill' }))).toEqual([failed, failed]);
  expect(idsOf(await find({ status: ['COMPLETED'] }))).toEqual([paid]);
  expect(idsOf(await find({ status: ['FAILED'] }))).toEqual([failed]);
  expect(idsOf(await find({ status: ['FAILED', 'CANCELLED'] }))).toEqual([failed, failed]);
  expect((await find({ status: ['PENDING', 'AWAITING_AUTHORIZATION'] })).totalCount).toBe(0);
  const [item] = (await find({ search: 'inv-0042' })).data;
  expect(item).toMatchObject({ status: 'COMPLETED', paidAmount: 30, orderId: 'INV-0042' });
  expect(item.consumerName).toMatch(/\w/);
  const named = await find({ search: item.consumerName, status: ['COMPLETED'] });
  expect(idsOf(named)).toEqual([paid]);
});
