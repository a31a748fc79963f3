import { describe, expect, test } from 'vitest';
import {
  getCashUp,
  getTillSale,
  getTillTips,
  listTillSales,
  startTillSale,
  voidTillSale,
} from '../../../../../contract/dashboard/index.ts';
import { signIn } from '../../../../../test/harness/dashboard/sign-in.ts';
import { sql } from '../../../platform/database/sql.ts';
import { statement } from '../../../platform/database/statement.ts';
import { setTips } from '../../merchants/index.ts';
import { claimSubmission } from '../../payments/bank/submission.ts';
import { begin, beginExchange, submit } from '../../payments/test/submit.ts';
import { call, cashier, killable, payments } from './counter-steps.ts';

const readEvents = statement<
  { readonly id: string },
  { readonly event_type: string; readonly body: string }
>(
  'test_till_events',
  sql('id')`
   select e.event_type, b.body from event e join event_body b on b.merchant_id = e.merchant_id
     and b.environment = e.environment and b.event_id = e.event_id
   where e.resource_id = :id::uuid order by e.sequence`,
);

const setRefunded = statement<{ readonly id: string }, never>(
  'test_till_refunded',
  sql('id')`update attempt set refunded_pence = 450 where payment_request_id = :id::uuid`,
);

const sell = (body: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  call(startTillSale, {
    body: { amount: 12.5, tipAmount: 2, tillName: 'Counter 1', ...body },
    headers: { ...cashier.headers, ...headers },
  });
const sold = async (body: object = {}): Promise<string> => (await sell(body)).body.paymentRequestId;
const show = (paymentRequestId: string) => call(getTillSale, { params: { paymentRequestId } });
const voided = (paymentRequestId: string) => call(voidTillSale, { params: { paymentRequestId } });
const eventsOf = async (id: string) =>
  (await payments.database.system(readEvents, { id })).map(({ event_type: type, body }) => ({
    type,
    ...JSON.parse(body),
  }));

describe('a sale of the till', () => {
  test('is asked for once, however often it is sent', async () => {
    const key = { 'idempotency-key': 'sale-1' };
    const [first, second] = await Promise.all([sell({}, key), sell({}, key)]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    const again = await sell({}, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect((await sell({ amount: 13 }, key)).body.name).toBe('IDEMPOTENCY_KEY_REUSED');
    // A payment request of the API under this key is another operation.
    const other = await payments.create({}, { headers: key });
    expect(other.body.paymentRequestId).not.toBe(first.body.paymentRequestId);
  });

  test('is asked for once, wherever the program is killed', async () => {
    const sellOnce = (key: string) => sell({ tillName: 'Killed' }, { 'idempotency-key': key });
    const steps = await killable.killAfterEach({
      prepare: async (round) => `killed-sale-${round}`,
      work: sellOnce,
      check: async (key, killed, round) => {
        const { status, body } = await sellOnce(key);
        expect(status, killed).toBe(200);
        const { data } = (await call(listTillSales, { query: { tillName: 'Killed' } })).body;
        expect(data, killed).toHaveLength(round);
        expect(data[0].paymentRequestId, killed).toBe(body.paymentRequestId);
      },
    });
    expect(steps).toContain('payment_request_insert');
  });

  test('shows what the payer is asked for, by whom and where', async () => {
    const id = await sold({ orderId: 'TABLE 4', notes: 'Lunch' });
    expect((await show(id)).body).toMatchObject({
      status: 'PAYMENT_NOT_INITIATED',
      orderId: 'TABLE 4',
      amount: 12.5,
      tipAmount: 2,
      paidAmount: 0,
      refundedAmount: 0,
      canVoid: true,
      tillName: 'Counter 1',
      madeBy: 'Grace Hopper',
      qrCodeUrl: `https://pay.example/payment-qr-codes/${id}.svg`,
    });
  });

  test.each([
    ['an amount below the least', { amount: 0.5 }, 'amount'],
    ['an amount with three decimals', { amount: 1.005 }, 'amount'],
    ['an amount above the limit', { amount: 15_000.01 }, 'amount'],
    ['a tip above twice the amount', { tipAmount: 25.01 }, 'tipAmount'],
    ['a tip with three decimals', { tipAmount: 1.005 }, 'tipAmount'],
    ['a store that does not exist', { storeId: '00000000-0000-4000-8000-000000000000' }, 'storeId'],
    ['a blank till', { tillName: '  ' }, 'tillName'],
    ['a till with a long name', { tillName: 'x'.repeat(31) }, 'tillName'],
  ])('refuses %s', async (_, body, field) => {
    const { status, body: reply } = await sell(body);
    expect([status, reply.errors?.[0]?.field]).toEqual([400, field]);
  });

  test('that is paid emits POS_PAYMENT_STATUS alone, with its tip', async () => {
    const id = await submit(payments, payments.bankId, 'ACSC', await sold());
    expect((await show(id)).body).toMatchObject({
      status: 'COMPLETED',
      paidAmount: 14.5,
      tipAmount: 2,
      canVoid: false,
    });
    const events = await eventsOf(id);
    expect(events).toEqual([
      expect.objectContaining({
        type: 'POS_PAYMENT_STATUS',
        status: 'COMPLETED',
        paidAmount: 14.5,
        tipAmount: 2,
        transactionType: 'OPEN_BANKING',
        storeDetails: expect.objectContaining({ locationName: expect.any(String) }),
        customFields: [{ fieldName: 'Till', value: 'Counter 1', filledBy: 'BUSINESS' }],
      }),
    ]);
    expect(events[0]).not.toHaveProperty('redirectUrl');
    expect(events[0]).not.toHaveProperty('refundId');
    const { body } = await payments.status(id);
    expect(body).toMatchObject({ status: 'COMPLETED', paidAmount: 14.5, tipAmount: 2 });
  });

  test('that a bank refuses emits FAILED and can be paid again', async () => {
    const id = await submit(payments, payments.bankId, 'RJCT', await sold());
    expect((await show(id)).body).toMatchObject({ status: 'FAILED', canVoid: true });
    await submit(payments, payments.bankId, 'ACSC', id);
    const shown = (await eventsOf(id)).map(({ type, status }) => `${type} ${status}`);
    expect(shown).toEqual(['POS_PAYMENT_STATUS FAILED', 'POS_PAYMENT_STATUS COMPLETED']);
  });

  test('that is not paid in time emits EXPIRED, of no attempt', async () => {
    const id = await sold({ tipAmount: 0 });
    await payments.advance(11 * 60_000);
    expect(await eventsOf(id)).toEqual([
      expect.objectContaining({
        type: 'POS_PAYMENT_STATUS',
        status: 'EXPIRED',
        paidAmount: 12.5,
        tipAmount: 0,
        paymentIdempotencyId: '',
        transactionType: '',
      }),
    ]);
    expect((await show(id)).body).toMatchObject({ status: 'EXPIRED', canVoid: false });
  });
});

describe('a void', () => {
  test('ends what is not paid, once, and emits nothing', async () => {
    const id = await sold();
    const replies = await Promise.all([voided(id), voided(id)]);
    expect(replies.map(({ status, body }) => [status, body.status])).toEqual([
      [200, 'CANCELLED'],
      [200, 'CANCELLED'],
    ]);
    expect(await eventsOf(id)).toEqual([]);
  });

  test('ends the sale, wherever the program is killed', async () => {
    const steps = await killable.killAfterEach({
      prepare: () => sold(),
      work: voided,
      check: async (id, killed) => {
        const { status, body } = await voided(id);
        expect([status, body.status], killed).toEqual([200, 'CANCELLED']);
        expect(await eventsOf(id)).toEqual([]);
      },
    });
    expect(steps).toContain('payment_commit_change');
  });

  test('of what is paid is refused, and says to refund it', async () => {
    const id = await submit(payments, payments.bankId, 'ACSC', await sold());
    const { status, body } = await voided(id);
    expect([status, body.name, body.message]).toEqual([
      409,
      'INVALID_STATE',
      'It was paid, so it cannot be voided any more: refund it.',
    ]);
  });

  test('against a payment: one of both wins, and no money moves for a sale that is void', async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await sold();
      const begun = await begin(payments, payments.bankId, id);
      const payment = await beginExchange(payments, begun);
      const [reply, claim] = await Promise.all([
        voided(id),
        claimSubmission(payments.tools, payment, begun.attemptId, { state: payments.bankId }),
      ]);
      const isVoid = reply.status === 200;
      expect(claim.kind).toBe(isVoid ? 'TOO_LATE' : 'CLAIMED');
      expect(reply.status).toBe(isVoid ? 200 : 409);
      expect((await show(id)).body.status).toBe(isVoid ? 'CANCELLED' : 'PENDING');
    }
  });

  test('is of sales of the till alone', async () => {
    const id = await payments.created();
    for (const reply of [await voided(id), await show(id)]) expect(reply.status).toBe(404);
    const other = await payments.newMerchant();
    const { headers } = await signIn(payments.tools, { merchantId: other.merchantId });
    const params = { paymentRequestId: await sold() };
    const { merchantId } = other;
    for (const operation of [getTillSale, voidTillSale])
      expect((await call(operation, { params, headers, merchantId })).status).toBe(404);
  });
});

test('a cashier, who reads no settings, reads the tips that the till offers', async () => {
  const read = async () => (await call(getTillTips, { headers: cashier.headers })).body;
  expect(await read()).toEqual({ tips: null });
  const offered = { enabled: true, tipType: 'FIXED' as const, allowCustom: false };
  const tips = { ...offered, options: [1, 2.5, 5] };
  const tenant = { merchantId: payments.merchant.merchantId, environment: 'SANDBOX' } as const;
  await setTips(payments.tools, tenant, tips);
  expect(await read()).toEqual({ tips });
  await setTips(payments.tools, tenant, { ...tips, enabled: false });
});

test('the sales of a till are listed by page, the newest first', async () => {
  const ids: string[] = [];
  for (let sale = 0; sale < 3; sale += 1) ids.unshift(await sold({ tillName: 'Bar' }));
  const first = (await call(listTillSales, { query: { tillName: 'Bar', limit: 2 } })).body;
  const before = first.nextBefore;
  const second = (await call(listTillSales, { query: { tillName: 'Bar', limit: 2, before } })).body;
  const listed = [...first.data, ...second.data];
  expect(listed.map(({ paymentRequestId: id }) => id)).toEqual(ids);
  expect(second.nextBefore).toBeNull();
  expect(listed[0]).toMatchObject({ tillName: 'Bar', madeBy: 'Grace Hopper', amount: 12.5 });
  const all = (await call(listTillSales, {})).body.data;
  const tills = new Set(all.map(({ tillName }: { tillName: string }) => tillName));
  expect([...tills]).toEqual(expect.arrayContaining(['Bar', 'Counter 1']));
});

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);

test('days of the tills are added up by method, person, till, store and shift', async () => {
  const yesterday = { day: '2020-01-01' };
  expect((await call(getCashUp, { query: yesterday })).body).toMatchObject({
    ...{ day: '2020-01-01', sales: 0, total: 0, unpaid: 0 },
    ...{ byMethod: [], byPerson: [], byTill: [] },
  });
  const before = (await call(getCashUp, {})).body;
  const id = await submit(payments, payments.bankId, 'ACSC', await sold({ tillName: 'Cash up' }));
  await sold({ tillName: 'Cash up' });
  await payments.database.system(setRefunded, { id });
  const after = (await call(getCashUp, {})).body;
  const took = { sales: 1, amount: 12.5, tips: 2, refunded: 4.5, total: 10 };
  expect(after.byTill).toContainEqual({ tillName: 'Cash up', ...took });
  expect(after.byMethod).toEqual([expect.objectContaining({ method: 'PAY_BY_BANK' })]);
  expect(after.byPerson).toEqual([expect.objectContaining({ name: 'Grace Hopper' })]);
  expect(after).toMatchObject({
    sales: before.sales + 1,
    unpaid: before.unpaid + 1,
    total: Math.round((before.total + 10) * 100) / 100,
  });
  const { sales, amount, tips, refunded, total } = after;
  const all = { sales, amount, tips, refunded, total };
  expect(after.byStore).toEqual([{ storeName: expect.any(String), ...all }]);
  const shift = { day: after.day, name: 'Grace Hopper', bankTotal: total, cardTotal: 0, ...all };
  expect(after.shifts).toEqual([{ storeName: after.byStore[0].storeName, ...shift }]);
  const inDays = (query: Record<string, string>) => call(getCashUp, { query });
  const longer = (await inDays({ day: dayBefore(after.day, 3), to: after.day })).body;
  expect(longer).toMatchObject({ to: after.day, ...all, shifts: [shift] });
  for (const [query, field] of [
    [{ to: after.day }, 'day'],
    [{ day: after.day, to: dayBefore(after.day, 1) }, 'to'],
    [{ day: dayBefore(after.day, 31), to: after.day }, 'to'],
  ] as const)
    expect((await inDays(query)).body.errors[0].field).toBe(field);
  const storeId = '00000000-0000-4000-8000-000000000000';
  expect((await inDays({ storeId })).body).toMatchObject({ sales: 0 });
});
