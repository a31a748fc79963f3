import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongRun } from '../../harness/is-long-run.ts';
import { longTest } from '../../harness/long-test.ts';
import { openSandbox, type Sandbox } from '../../harness/open-sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const create = async (more: object = {}): Promise<string> => {
  const created = await sandbox.request('POST', '/api/payments/process-payment', {
    body: { customerId: 'customer-1', orderId: 'order-1', amount: 30, splitBill: true, ...more },
  });
  expect(created.status).toBe(200);
  return created.body.paymentRequestId;
};

const byCard = { method: 'CARD', cardNumber: '4242424242424242' };
const declinedCard = { method: 'CARD', cardNumber: '4000000000000002' };

const pay = async (id: string, ...payments: readonly object[]): Promise<void> => {
  for (const body of payments)
    expect(
      (await sandbox.request('POST', `/api/sandbox/payment-requests/${id}/pay`, { body })).status,
    ).toBe(200);
};

const statusOf = async (id: string) =>
  (await sandbox.request('GET', `/api/payments/v1/payment-status/${id}`)).body;

const amountsOf = (
  body: {
    transactionDetails: readonly { paidAmount: number; statusDetails: { status: string } }[];
  },
  status = 'COMPLETED',
) =>
  body.transactionDetails
    .filter(({ statusDetails }) => statusDetails.status === status)
    .map(({ paidAmount }) => paidAmount);

describe('the status of a split bill', () => {
  longTest('shows every share paid by card', async () => {
    const id = await create();
    const share = { ...byCard, amount: 10 };
    await pay(id, share, share, share);
    const body = await statusOf(id);
    expect(body).toMatchObject({ status: 'COMPLETED', paidAmount: 30 });
    expect(amountsOf(body)).toEqual([10, 10, 10]);
  });

  test('adds shares by bank and by card', async () => {
    const id = await create();
    await pay(id, { amount: 10 }, { ...byCard, amount: 10 }, { amount: 10 });
    const body = await statusOf(id);
    expect(body).toMatchObject({ status: 'COMPLETED', paidAmount: 30 });
    expect(amountsOf(body)).toEqual([10, 10, 10]);
  });

  test('keeps a declined card share apart from the paid one', async () => {
    const id = await create();
    await pay(id, { ...declinedCard, amount: 10 }, { ...byCard, amount: 10 });
    const body = await statusOf(id);
    expect(body).toMatchObject({ status: 'PENDING', paidAmount: 10 });
    expect(amountsOf(body)).toEqual([10]);
    expect(amountsOf(body, 'FAILED')).toEqual([10]);
  });
});

describe('a bill of which one share failed', () => {
  const open = async (path: string) => (await sandbox.request('GET', path, { secret: null })).body;
  const readers = (id: string) => [
    `/api/sdk-payment/payment-request/status/${id}`,
    `/api/payments/payment-status/${id}?type=request`,
    `/api/payments/v1/payment-status/${id}?env=sandbox`,
  ];

  const bills: readonly (readonly [string, readonly object[]])[] = [
    ['another was paid before', [{ amount: 10 }, { amount: 10, outcome: 'FAILED' }]],
    [
      'another was paid after',
      [
        { ...declinedCard, amount: 10 },
        { ...byCard, amount: 10 },
      ],
    ],
    ['a third is at its bank', [{ amount: 10, outcome: 'FAILED' }, { outcome: 'PENDING' }]],
    ['nothing was paid', [{ amount: 10, outcome: 'FAILED' }]],
  ];
  test.each(isLongRun ? bills : bills.slice(0, 1))(
    'reads the same with and without a secret: %s',
    async (_, payments) => {
      const id = await create();
      await pay(id, ...payments);
      const { status } = await statusOf(id);
      expect(status).toBe(payments.length > 1 ? 'PENDING' : 'FAILED');
      for (const path of readers(id)) expect((await open(path)).status, path).toBe(status);
    },
  );

  test('shows no reader the failure of another', async () => {
    const id = await create();
    await pay(id, { amount: 10 }, { amount: 10, outcome: 'FAILED' });
    const flat = await open(`/api/payments/payment-status/${id}?type=request`);
    expect(flat).toMatchObject({ statusDetails: null, errorDescription: null, paidAmount: 20 });
    const sdk = await open(`/api/sdk-payment/payment-request/status/${id}`);
    expect(sdk).toMatchObject({ transactionDetails: [], paidAmount: 0 });
  });
});

test.each([
  ['a bank', { outcome: 'FAILED' }],
  ['a card', declinedCard],
])('a payment that fails at %s shows the attempted amounts at the top', async (_, payment) => {
  const id = await create({ splitBill: false });
  await pay(id, payment);
  const body = await statusOf(id);
  expect(body).toMatchObject({ status: 'FAILED', paidAmount: 30, tipAmount: 0 });
  expect(body.transactionDetails).toMatchObject([{ paidAmount: 30 }]);
});

test('statusUpdateDate follows the sandbox clock', async () => {
  const advanced = await sandbox.request('POST', '/api/sandbox/clock', {
    body: { advanceMs: 7_200_000 },
  });
  expect(advanced.status).toBe(200);
  const id = await create({ splitBill: false });
  await pay(id, {});
  const [details] = (await statusOf(id)).transactionDetails;
  const aheadMs =
    Date.parse(details.statusDetails.statusUpdateDate) - Date.parse(details.createdAt);
  expect(Math.abs(aheadMs)).toBeLessThan(3_600_000);
});
