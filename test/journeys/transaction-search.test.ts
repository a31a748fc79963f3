import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../harness/dashboard/sign-in.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';
import { waitUntil } from '../harness/wait-until.ts';

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

const outcomes = ['PAID', 'PART_REFUNDED', 'REFUNDED', 'DISPUTED', 'DISPUTE_LOST'];

/** What the dashboard says that a customer has paid; one of another id is added up to nothing. */
const spentBy = async (customerId: string) => {
  const { merchantId } = sandbox.merchant;
  const { headers } = await signIn(sandbox.tools, { merchantId, origin: sandbox.url });
  const path = `/dashboard/api/merchants/${merchantId}/sandbox/customer-sums?customerIds=`;
  return async () => {
    const ids = `${customerId},${sandbox.tools.ids.uuid()}`;
    const { body } = await sandbox.request('GET', path + ids, { secret: null, headers });
    expect(body.data).toHaveLength(2);
    expect(body.data[1]).toMatchObject({ payments: 0, spent: 0 });
    return body.data[0];
  };
};

/** Found by it alone among all outcomes, shown with it, and counted as it. */
const isFoundAs = async (id: string, outcome: string, orderId: string) => {
  const others = outcomes.filter((each) => each !== outcome);
  const found = await find({ status: [outcome], search: orderId, totals: true });
  expect(found.data).toMatchObject([{ paymentRequestId: id, status: 'COMPLETED', outcome }]);
  expect(idsOf(await find({ status: others, search: orderId }))).toEqual([]);
  expect(idsOf(await find({ status: ['COMPLETED'], search: orderId }))).toEqual([id]);
  const all = await find({ status: ['COMPLETED'], orderBy: 'LARGEST', size: 100, totals: true });
  const status = outcome === 'PAID' ? 'COMPLETED' : outcome;
  const alike = all.data.filter((row: { outcome: string }) => row.outcome === outcome);
  expect(all.totals.byStatus).toContainEqual(
    expect.objectContaining({ status, count: alike.length }),
  );
  expect((await find({ status: [outcome] })).totalCount).toBe(alike.length);
};
const byCard = async (orderId: string, cardNumber: string): Promise<string> => {
  const id = await create({ orderId, amount: 64 });
  const body = { method: 'CARD', cardNumber };
  await sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body });
  return id;
};
const becomes = (id: string, outcome: string) =>
  waitUntil(async () => idsOf(await find({ status: [outcome] })).includes(id));

test('finds a paid one by what became of it: refunded, in part or in full, disputed, lost', async () => {
  const ada = { fullName: 'Ada Lovelace', email: 'ada@example.com' };
  const { body: customer } = await sandbox.request('POST', '/api/customers', { body: ada });
  const spent = await spentBy(customer.id);
  expect(await spent()).toMatchObject({ payments: 0, spent: 0, lastPaidAt: null });
  const id = await create({ orderId: 'GONE-1', amount: 30, atoaCustomerId: customer.id });
  await pay(id);
  await isFoundAs(id, 'PAID', 'GONE-1');
  const refund = (amount: number) =>
    sandbox.request('POST', '/api/refund', { body: { paymentRequestId: id, amount } });
  expect((await refund(10)).status).toBe(200);
  await isFoundAs(id, 'PART_REFUNDED', 'GONE-1');
  const paid = { payments: 1, spent: 20, lastPaidAt: expect.stringMatching(/Z$/) };
  expect(await spent()).toMatchObject({ ...paid, isMinimum: false });
  expect((await refund(20)).status).toBe(200);
  await isFoundAs(id, 'REFUNDED', 'GONE-1');
  const [won, lost] = [
    await byCard('GONE-2', '4000000000002685'),
    await byCard('GONE-3', '4000000000000259'),
  ];
  await becomes(won, 'DISPUTED');
  await becomes(lost, 'DISPUTED');
  await sandbox.request('POST', '/api/sandbox/clock', { body: { advanceMs: 2 * 60 * 60 * 1000 } });
  await becomes(lost, 'DISPUTE_LOST');
  await isFoundAs(lost, 'DISPUTE_LOST', 'GONE-3');
  await becomes(won, 'PAID');
  await isFoundAs(won, 'PAID', 'GONE-2');
});
