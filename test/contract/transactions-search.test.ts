import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';

// Seven payments that differ in all that is searched for; the newest is the last one.
const unknownId = '7f0c7a3e-0000-4000-8000-000000000001';
const path = '/api/payments/transactions';
let sandbox: Sandbox;
let customer: string;
let otherStore: string;

const made = new Map<string, string>();
const pay = async (orderId: string, amount: number, outcome: string | object, more = {}) => {
  const body = { customerId: 'c', orderId, amount, ...more };
  const created = await sandbox.request('POST', '/api/payments/process-payment', { body });
  const id: string = created.body.paymentRequestId;
  const driven = `/api/sandbox/payment-requests/${id}/pay`;
  const paid = await sandbox.request('POST', driven, {
    body: typeof outcome === 'string' ? { outcome } : outcome,
  });
  if (paid.status !== 200) throw new Error(JSON.stringify(paid.body));
  made.set(orderId, id);
};

beforeAll(async () => {
  sandbox = await openSandbox();
  const ada = { fullName: 'Ada Lovelace', email: 'ada@example.com' };
  customer = (await sandbox.request('POST', '/api/customers', { body: ada })).body.id;
  otherStore = sandbox.tools.ids.uuid();
  await onDatabase(addStore, [sandbox.merchant.merchantId, otherStore]);
  await pay('INV-0042', 12.5, 'COMPLETED');
  await pay('order-2', 42, 'FAILED', { consumerDetails: { firstName: 'Zoë', lastName: 'O’Hara' } });
  await pay('order-3', 1250, 'PENDING');
  await pay('order-4', 20.05, 'CANCELLED', { storeId: otherStore });
  await pay('order-5', 20.5, 'COMPLETED', { atoaCustomerId: customer });
  await pay('summer', 7, 'COMPLETED');
  await pay('by-card', 8.4, { method: 'CARD', cardNumber: '4242424242424242' });
  // 23:30 UTC on 30 June is 00:30 on 1 July in London.
  for (const text of moveToSummer) await onDatabase(text, [made.get('summer')]);
  // No attempt, so no transaction.
  const idle = { customerId: 'c', orderId: 'order-6', amount: 99 };
  await sandbox.request('POST', '/api/payments/process-payment', { body: idle });
});
afterAll(() => sandbox.close());

const addStore = `with account as (insert into store_bank_account
      (store_id, merchant_id, environment, sort_code, account_number, account_name)
    select $2, merchant_id, environment, sort_code, account_number, account_name
    from store_bank_account where merchant_id = $1 and environment = 'SANDBOX')
  insert into store (merchant_id, environment, store_id, location_name, is_primary, created_at, updated_at)
  values ($1, 'SANDBOX', $2, 'Harbour', false, now(), now())`;
const summer = "'2025-06-30T23:30:00Z'::timestamptz";
const moveToSummer = [
  `insert into transaction_count (merchant_id, environment, day, store_id, method, status, items,
   amount_pence) select merchant_id, environment, london_day(at), store_id, method, status, items,
   items * total_pence from transaction_item, lateral (values (created_at, -1), (${summer}, 1)) as moved
   (at, items) where payment_request_id = $1`,
  `update transaction_item set created_at = ${summer} where payment_request_id = $1`,
  `update transaction_word set created_at = ${summer} where payment_request_id = $1`,
];
const onDatabase = async (text: string, values: readonly unknown[]): Promise<void> => {
  const client = new pg.Client(sandbox.databaseUrl);
  await client.connect();
  await client.query('set search_path = florin');
  await client.query(text, [...values]);
  await client.end();
};

const search = (body: unknown, query = '') => sandbox.request('POST', `${path}${query}`, { body });
const ordersOf = (reply: { readonly body: { readonly data: { orderId: string }[] } }) =>
  reply.body.data.map(({ orderId }) => orderId);

const all = ['by-card', 'order-5', 'order-4', 'order-3', 'order-2', 'INV-0042', 'summer'];
const states = [
  'PAYMENT_NOT_INITIATED',
  'AWAITING_AUTHORIZATION',
  'PENDING',
  'AUTHORIZED',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
  'REFUNDED',
  'REJECTED',
];

/** A filter and the orders it leaves. */
const found: readonly (readonly [filter: object, orders: readonly string[]])[] = [
  [{}, all],
  [{ search: '' }, all],
  [{ search: '   ' }, all],
  [{ unknown: [] }, all],
  [{ search: 'inv-0042' }, ['INV-0042']],
  [{ search: 'INV' }, ['INV-0042']],
  [{ search: '0042' }, ['INV-0042']],
  [{ search: '42' }, ['by-card', 'order-2', 'INV-0042']],
  [{ search: 'order' }, ['order-5', 'order-4', 'order-3', 'order-2']],
  [{ search: 'rder-4' }, []],
  [{ search: 'zoe' }, ['order-2']],
  [{ search: 'ZOË' }, ['order-2']],
  [{ search: 'zoe order-2' }, ['order-2']],
  [{ search: 'zoe order-3' }, []],
  [{ search: '12.50' }, ['INV-0042']],
  [{ search: '£12.50' }, ['INV-0042']],
  [{ search: '1,250' }, ['order-3']],
  [{ search: '20.05' }, ['order-4']],
  [{ search: '20' }, ['order-5', 'order-4']],
  [{ search: 'order-6' }, []],
  [{ search: '%' }, []],
  [{ search: "' or 1=1 --" }, []],
  [{ search: 'x'.repeat(100) }, []],
  [{ status: ['COMPLETED'] }, ['by-card', 'order-5', 'INV-0042', 'summer']],
  [{ status: ['FAILED'] }, ['order-2']],
  [{ status: ['PENDING'] }, ['order-3']],
  [{ status: ['CANCELLED'] }, ['order-4']],
  [{ status: ['FAILED', 'CANCELLED', 'FAILED'] }, ['order-4', 'order-2']],
  [{ status: states }, all],
  [{ status: ['PAYMENT_NOT_INITIATED', 'AUTHORIZED', 'EXPIRED', 'REFUNDED', 'REJECTED'] }, []],
  [{ paymentMethod: ['PAY_BY_BANK'] }, all.slice(1)],
  [{ paymentMethod: ['PAY_BY_BANK', 'CARD'] }, all],
  [{ paymentMethod: ['CARD'] }, ['by-card']],
  [{ paymentMethod: ['CARD'], status: ['FAILED'] }, []],
  [{ toDate: '2025-06-30' }, []],
  [{ toDate: '2025-07-01' }, ['summer']],
  [{ toDate: '2025-06-30T22:59:00.000Z' }, []],
  [{ toDate: '2025-06-30T23:30:00.000Z' }, ['summer']],
  [{ fromDate: '2025-07-02T00:30:00+01:00' }, all.slice(0, -1)],
  [{ fromDate: '2025-07-02T00:00:00' }, all.slice(0, -1)],
  [{ fromDate: null, toDate: null, search: null, status: null, storeIds: null }, all],
  [{ fromDate: '2025-07-01', toDate: '2025-07-01' }, ['summer']],
  [{ fromDate: '2025-07-02' }, all.slice(0, -1)],
  [{ fromDate: '2999-12-31' }, []],
  [{ search: 'summer', toDate: '2025-06-30' }, []],
  [{ search: 'summer', fromDate: '2025-07-01', toDate: '2025-07-01' }, ['summer']],
  [{ search: 'order', status: ['FAILED', 'PENDING'] }, ['order-3', 'order-2']],
  [{ search: 'order', paymentMethod: ['CARD'] }, []],
  [{ storeIds: [unknownId] }, []],
  [{ minAmount: 7.01, maxAmount: 20.05 }, ['by-card', 'order-4', 'INV-0042']],
  [{ minAmount: 20.5, maxAmount: 20.5 }, ['order-5']],
  [{ minAmount: 20.5, maxAmount: 20.5, search: 'order-4' }, []],
  [{ minAmount: null, maxAmount: null, institutionIds: null }, all],
  [{ institutionIds: ['mock-sandbox-v1'] }, all.slice(1)],
  [{ institutionIds: ['mock-sandbox-v1', 'other'], minAmount: 1000 }, ['order-3']],
  [{ institutionIds: ["' or 1=1 --"] }, []],
  [{ atoaCustomerIds: [unknownId] }, []],
];

describe('a filter finds and counts its transactions, newest first', () => {
  test.each(found)('%j', async (filter, orders) => {
    const reply = await search(filter);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    expect(ordersOf(reply)).toEqual(orders);
    expect(reply.body).toMatchObject({ totalCount: orders.length, page: 0, size: 20 });
    const short = await search(filter, '?page=1&size=1');
    expect(ordersOf(short)).toEqual(orders.slice(1, 2));
    expect(short.body).toMatchObject({ totalCount: orders.length, page: 1, size: 1 });
  });

  test('an empty body is no filter', async () => {
    const reply = await sandbox.request('POST', path);
    expect(ordersOf(reply)).toEqual(all);
  });

  test('finds own stores and customers, in either case and under either name', async () => {
    const inStore = { storeIds: [otherStore.toUpperCase(), unknownId] };
    expect(ordersOf(await search(inStore))).toEqual(['order-4']);
    expect(ordersOf(await search({ ...inStore, status: ['COMPLETED'] }))).toEqual([]);
    expect(ordersOf(await search({ ...inStore, search: 'order' }))).toEqual(['order-4']);
    const ids = [customer.toUpperCase(), unknownId];
    for (const filter of [
      { atoaCustomerIds: ids },
      { serviceCustomerIds: ids },
      { atoaCustomerIds: ids, serviceCustomerIds: [unknownId, customer] },
      { atoaCustomerIds: ids, search: 'order' },
    ])
      expect(ordersOf(await search(filter))).toEqual(['order-5']);
  });

  test('finds an id by the whole id and by its prefix', async () => {
    const id = made.get('order-3') ?? '';
    for (const text of [id, id.toUpperCase(), id.slice(0, 13)])
      expect(ordersOf(await search({ search: text }))).toEqual(['order-3']);
  });

  test.each([
    ['', 0, 20],
    ['?page=0&size=1', 0, 1],
    ['?size=100', 0, 100],
    ['?page=1000000', 1_000_000, 20],
    ['?unknown=1', 0, 20],
  ])('%j answers page and size as numbers', async (query, page, size) => {
    expect((await search({}, query)).body).toMatchObject({ page, size, totalCount: all.length });
  });

  const byCard = {
    orderId: 'by-card',
    paidAmount: 8.4,
    transactionType: 'CARD',
    ...{ institutionId: null, lastFourDigits: '4242' },
    cardPaymentDetails: {
      cardType: 'VISA',
      transactionSubType: 'CARD',
      captureType: 'AUTO_CAPTURE',
      metadata: { isMitPayment: false },
      paymentMethodId: null,
    },
  };

  const byBank = { orderId: 'INV-0042', paidAmount: 12.5, transactionType: 'OPEN_BANKING' };
  test.each([byBank, byCard])('an item holds what is printed: $transactionType', async (own) => {
    const [item] = (await search({ search: own.orderId })).body.data;
    expect(item).toEqual({
      paymentIdempotencyId: expect.stringMatching(/^.{1,31}$/),
      paymentRequestId: made.get(own.orderId),
      customerId: 'c',
      consumerId: null,
      merchantName: 'Corner Coffee',
      merchantId: sandbox.merchant.merchantId,
      consumerName: expect.any(String),
      totalRefundAmount: 0,
      currency: 'GBP',
      ...{ status: 'COMPLETED', outcome: 'PAID' },
      ...{ institutionId: expect.any(String), lastFourDigits: expect.any(String) },
      ...own,
      notes: null,
      storeDetails: {
        id: sandbox.merchant.storeIds.SANDBOX,
        address: expect.any(String),
        locationName: 'DEFAULT',
      },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
  });
});

const lists = ['status', 'paymentMethod', 'storeIds', 'atoaCustomerIds', 'serviceCustomerIds'];
const days = ['fromDate', 'toDate'];
const tooMany = Array.from({ length: 101 }, () => unknownId);

/** A filter, and the member that is named in its refusal. */
const otherId = '7f0c7a3e-0000-4000-8000-000000000002';

const refused: readonly (readonly [sent: unknown, query: string, named: string])[] = [
  ...lists.flatMap((field) =>
    [[], 'COMPLETED', {}, 7].map((sent) => [{ [field]: sent }, '', field] as const),
  ),
  ...lists.flatMap((field) =>
    ['', 'x', null, 7, ['x']].map((sent) => [{ [field]: [sent] }, '', `${field}.0`] as const),
  ),
  ...lists.slice(2).map((field) => [{ [field]: tooMany }, '', field] as const),
  [{ status: Array(101).fill('FAILED') }, '', 'status'],
  [{ status: ['completed'] }, '', 'status.0'],
  [{ paymentMethod: ['CARD', 'CASH'] }, '', 'paymentMethod.1'],
  ...days.flatMap((field) =>
    [
      '',
      'today',
      '01/02/2026',
      '2026-1-2',
      '2026-02-30',
      '2026-13-01',
      '2026-02-30T00:00:00Z',
      7,
    ].map((sent) => [{ [field]: sent }, '', field] as const),
  ),
  [{ fromDate: '2026-02-02', toDate: '2026-02-01' }, '', 'fromDate'],
  ...['minAmount', 'maxAmount'].flatMap((field) =>
    [-1, 1.005, '12', 1e9, 1e-7, []].map((sent) => [{ [field]: sent }, '', field] as const),
  ),
  [{ minAmount: 2, maxAmount: 1.99 }, '', 'minAmount'],
  [{ institutionIds: [] }, '', 'institutionIds'],
  [{ institutionIds: ['x'.repeat(51)] }, '', 'institutionIds.0'],
  [{ atoaCustomerIds: [unknownId], serviceCustomerIds: [otherId] }, '', 'serviceCustomerIds'],
  ...[7, [], {}, 'x'.repeat(101)].map((sent) => [{ search: sent }, '', 'search'] as const),
  ...['-1', '1.5', 'x', '', '1000001', 'Infinity', '1&page=2'].map(
    (sent) => [{}, `?page=${sent}`, 'page'] as const,
  ),
  ...['0', '-1', '101', '1.5', 'x', '', '5&size=6'].map(
    (sent) => [{}, `?size=${sent}`, 'size'] as const,
  ),
];

describe('rejects a wrong filter by name', () => {
  const titled = refused.map(
    ([sent, query, named]) =>
      [JSON.stringify(sent).slice(0, 60) + query, sent, query, named] as const,
  );
  test.each(titled)('%s', async (_, sent, query, named) => {
    const { status, body } = await search(sent, query);
    expect(status, JSON.stringify(body)).toBe(400);
    expect(body).toMatchObject({ name: 'BAD_REQUEST', status: 400 });
    expect(body.errors.map(({ field }: { field: string }) => field)).toContain(named);
  });

  test.each([[[]], ['x'], [7], [null]])('a body that is %j', async (body) => {
    const answer = await search(body);
    expect(answer.status).toBe(body === null ? 200 : 400);
  });
});
