import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrokenInvariants } from '../../harness/invariants/find-broken-invariants.ts';
import { type Journey, openJourney } from '../../harness/open-journey.ts';
import { waitUntil } from '../../harness/wait-until.ts';

const patience = { withinMs: 30_000, everyMs: 100 };
const timeout = 120_000;
const day = 24 * 60 * 60_000;

let journey: Journey;
beforeAll(async () => {
  journey = await openJourney();
}, 120_000);
afterAll(() => journey.close());

const request = (method: string, path: string, body?: object) =>
  journey.sandbox.request(method, path, { body });
const paid = async (more: object = {}): Promise<string> => {
  const id = await journey.create({ enableTips: false, ...more });
  await request('POST', `/api/sandbox/payment-requests/${id}/pay`, {});
  await journey.becomes(id, 'COMPLETED AC[SC]C');
  return id;
};
const payouts = async (query = '') => (await request('GET', `/api/payouts${query}`)).body;
const linesOf = async (id: string, query = '') =>
  (await request('GET', `/api/payouts/${id}/transactions${query}`)).body;
const until = <Found>(find: () => Promise<Found | undefined>): Promise<Found> =>
  waitUntil(async () => {
    const found = await find();
    if (found === undefined) throw new Error(JSON.stringify(await payouts()));
    return found;
  }, patience);
const newestWith = (status: string, amount: string) =>
  until(async () =>
    (await payouts()).data.find(
      (each: { status: string; amount: string }) =>
        each.status === status && each.amount === amount,
    ),
  );

describe('payouts', { timeout }, () => {
  test('pay out settled payments less refunds to the bank account of the store', async () => {
    const first = await paid({ notes: 'table 4', callbackParams: { table: 4 } });
    await paid({ amount: 20 });
    const refund = await request('POST', '/api/refund', { paymentRequestId: first, amount: 2.5 });
    const open = await newestWith('PENDING', '30.00');
    expect(open).toEqual({
      id: expect.any(String),
      amount: '30.00',
      currency: 'GBP',
      settlementPeriodEnd: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      status: 'PENDING',
      reference: expect.stringMatching(/^FPY[0-9A-F]{11}$/),
    });
    const lines = await linesOf(open.id);
    expect(lines).toMatchObject({ page: 0, itemPerPage: 10, totalCount: 3 });
    expect(lines.data.map(({ amount }: { amount: string }) => amount).sort()).toEqual([
      '-2.50',
      '12.50',
      '20.00',
    ]);
    const [payment] = lines.data.filter(
      (line: { paymentRequestId: string; isRefund: boolean }) =>
        line.paymentRequestId === first && !line.isRefund,
    );
    expect(payment).toEqual({
      paymentIdempotencyId: expect.stringMatching(/^ATOA/),
      paymentRequestId: first,
      createdAt: expect.any(String),
      amount: '12.50',
      currency: 'GBP',
      lineType: 'PAYMENT',
      refundId: null,
      refundPaymentReference: null,
      payoutReferenceId: open.reference,
      transactionFinalizedAt: expect.any(String),
      isRefund: false,
      callbackParams: { table: 4 },
      notes: 'table 4',
    });
    const [back] = lines.data.filter(({ isRefund }: { isRefund: boolean }) => isRefund);
    expect(back).toMatchObject({
      refundId: refund.body.refundId,
      refundPaymentReference: expect.stringMatching(/^FLT/),
      amount: '-2.50',
    });
    await journey.advance(5 * day);
    const settled = await newestWith('SETTLED', '30.00');
    expect(settled.id).toBe(open.id);
    expect((await linesOf(open.id, '?limit=2&page=1')).data).toHaveLength(1);
  });

  test('are found by status, day, amount and reference', async () => {
    const { data } = await payouts();
    const [one] = data;
    expect((await payouts('?status=SETTLED')).totalCount).toBe(1);
    expect((await payouts('?status=FAILED')).totalCount).toBe(0);
    expect((await payouts('?search=30.00')).totalCount).toBe(1);
    expect((await payouts(`?search=${one.reference.slice(0, 8)}`)).totalCount).toBe(1);
    expect((await payouts('?search=31')).totalCount).toBe(0);
    const today = one.createdAt.slice(0, 10);
    expect((await payouts(`?fromDate=${today}&toDate=${today}&orderBy=ASC`)).totalCount).toBe(1);
    expect((await payouts('?toDate=2020-01-01')).totalCount).toBe(0);
    expect((await request('GET', '/api/payouts?limit=101')).status).toBe(400);
    expect((await request('GET', '/api/payouts?orderBy=UP')).status).toBe(400);
    const missing = await request(
      'GET',
      `/api/payouts/${journey.sandbox.tenant.merchantId}/transactions`,
    );
    expect(missing.status).toBe(404);
    const elsewhere = await journey.sandbox.request('GET', `/api/payouts/${one.id}/transactions`, {
      secret: journey.sandbox.productionSecret,
    });
    expect(elsewhere.body).toMatchObject({ name: 'ENVIRONMENT_MISMATCH', status: 400 });
  });

  test('can still be read after payouts were switched off', async () => {
    const before = await payouts();
    await request('POST', '/api/sandbox/switches', { payoutsEnabled: false });
    const after = await request('GET', '/api/payouts');
    await request('POST', '/api/sandbox/switches', { payoutsEnabled: true });
    expect([after.status, after.body]).toEqual([200, before]);
  });

  test('rejected by the bank return their lines to the next payout', async () => {
    // An amount that the simulated hub rejects (AC01).
    const magic = (await fetchMagic()).find(({ name }) => name === 'reject-AC01');
    await paid({ amount: (magic?.amountPence ?? 0) / 100 });
    const amount = ((magic?.amountPence ?? 0) / 100).toFixed(2);
    await newestWith('PENDING', amount);
    await journey.advance(5 * day);
    const failed = await newestWith('FAILED', amount);
    const next = await newestWith('PENDING', amount);
    expect(next.id).not.toBe(failed.id);
    expect((await linesOf(next.id)).totalCount).toBe(1);
    expect((await linesOf(failed.id)).totalCount).toBe(1);
    await paid({ amount: 5 });
    await journey.advance(5 * day);
    await newestWith('SETTLED', (Number(amount) + 5).toFixed(2));
  });
});

test('match the books, with refunds', { timeout }, async () => {
  expect(await findBrokenInvariants(journey.sandbox.databaseUrl)).toEqual([]);
});

const fetchMagic = async (): Promise<readonly { name: string; amountPence: number }[]> => {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(`${journey.outside.trustFolder}/registration.json`, 'utf8');
  const { controlUrl, controlToken } = JSON.parse(text);
  const answer = await fetch(`${controlUrl}/magic/transfers`, {
    headers: { authorization: `Bearer ${controlToken}` },
  });
  return answer.json() as never;
};
