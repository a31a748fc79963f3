import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { seedPayments } from '../../../../tools/bench/seed/seed-payments.ts';
import { foldDays } from '../search/jobs.ts';
import { merchantRoutes } from './merchant-routes.ts';

const rows = 15_000;
const noRails = { bankRails: { find: () => null, need: () => Promise.reject() as never } };
let service: TestService;
let client: pg.Client;
beforeAll(async () => {
  service = await openTestService({ routes: (tools) => merchantRoutes({ ...tools, ...noRails }) });
  const url = service.databaseUrl;
  client = new pg.Client({ connectionString: url, options: '-c search_path=florin' });
  await client.connect();
  const { merchantId } = service.sandbox;
  const found = await client.query("select store_id from store where environment = 'SANDBOX'");
  const storeId = found.rows[0].store_id;
  await seedPayments({ url, merchantId, secretId: merchantId, storeId, rows });
});
afterAll(async () => {
  await client.end();
  await service.close();
});

const search = (body: object, query = '') =>
  service.request('POST', `/api/payments/transactions${query}`, { body });
const truth = async (where: string, order = 'i.created_at desc, id') => {
  const { rows: found } = await client.query(
    `select i.payment_request_id as id, i.created_at, i.total_pence from transaction_item i
     join attempt a using (merchant_id, environment, payment_request_id, position)
     join payment_request r using (merchant_id, environment, payment_request_id)
     where ${where} order by ${order}`,
  );
  return found.map(({ id }) => id as string);
};
const one = async () =>
  (await client.query('select * from transaction_item where customer_id is not null limit 1'))
    .rows[0];
const dayBefore = (days: number): string =>
  new Date(systemClock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);
const london = (column: string) => `(${column} at time zone 'Europe/London')::date`;

describe('fifteen thousand transactions', () => {
  test('are listed newest first on every page, with the right total', async () => {
    const all = await truth('true');
    for (const page of [0, 1, 400, rows / 20 - 1]) {
      const { body } = await search({}, `?page=${page}`);
      expect(body).toMatchObject({ totalCount: rows, page, size: 20 });
      const ids = body.data.map((item: { paymentRequestId: string }) => item.paymentRequestId);
      expect(ids).toEqual(all.slice(page * 20, page * 20 + 20));
    }
    const after = await search({}, `?page=${rows}`);
    expect(after.body).toMatchObject({ totalCount: rows, data: [] });
  });

  test.each(['´', '^', '¨ `', '\u0301'])('a search of %j alone finds nothing', async (text) => {
    expect((await search({ search: text })).body).toMatchObject({ totalCount: 0, data: [] });
  });

  test.each(['', '  '])('a search of %j is none', async (text) =>
    expect((await search({ search: text })).body).toMatchObject({ totalCount: rows }),
  );

  const from = dayBefore(300);
  const to = dayBefore(290);
  test.each<[string, object, string]>([
    [
      'days',
      { fromDate: from, toDate: to },
      `${london('i.created_at')} between '${from}' and '${to}'`,
    ],
    ['one day', { fromDate: to, toDate: to }, `${london('i.created_at')} = '${to}'`],
    ['from', { fromDate: dayBefore(5) }, `${london('i.created_at')} >= '${dayBefore(5)}'`],
    ['status', { status: ['FAILED'] }, "i.status = 'FAILED'"],
    ['states', { status: ['FAILED', 'PENDING'] }, "i.status in ('FAILED', 'PENDING')"],
    ['a state that none is in', { status: ['REFUNDED'] }, 'false'],
    [
      'method',
      { paymentMethod: ['CARD'], status: ['PENDING'] },
      "i.method = 'CARD' and i.status = 'PENDING'",
    ],
    ['name', { search: 'SMITH' }, "a.consumer_name ilike '% smith'"],
    ['prefix of a name', { search: 'smi' }, "a.consumer_name ilike '% smi%'"],
    ['whole name', { search: 'smith ada' }, "a.consumer_name = 'Ada Smith'"],
    ['order id', { search: 'ord-777' }, "r.order_id like 'ord-777%'"],
    [
      'name and state',
      { search: 'jones', status: ['FAILED'] },
      "a.consumer_name ilike '% jones' and i.status = 'FAILED'",
    ],
    [
      'name and days',
      { search: 'jones', fromDate: dayBefore(99) },
      `a.consumer_name ilike '% jones' and ${london('i.created_at')} >= '${dayBefore(99)}'`,
    ],
    ['nothing', { search: 'zzz' }, 'false'],
    [
      'bank and days',
      { institutionIds: ['other-bank'], fromDate: dayBefore(99) },
      `a.institution_id = 'other-bank' and ${london('i.created_at')} >= '${dayBefore(99)}'`,
    ],
    [
      'banks and status',
      { institutionIds: ['rare-bank', 'other-bank'], status: ['FAILED'] },
      "a.institution_id in ('rare-bank', 'other-bank') and i.status = 'FAILED'",
    ],
    [
      'a bank and amounts that few have',
      { institutionIds: ['rare-bank'], maxAmount: 30 },
      "a.institution_id = 'rare-bank' and i.total_pence <= 3000",
    ],
    ['a bank that none has', { institutionIds: ['card'] }, 'false'],
    ['amounts', { minAmount: 200.5, maxAmount: 200.55 }, 'i.total_pence between 20050 and 20055'],
    ['one amount', { minAmount: 12.5, maxAmount: 12.5 }, 'i.total_pence = 1250'],
    [
      'amount and name',
      { search: 'jones', minAmount: 190 },
      "a.consumer_name ilike '% jones' and i.total_pence >= 19000",
    ],
    [
      'one amount and method',
      { minAmount: 12.5, maxAmount: 12.5, paymentMethod: ['CARD'] },
      "i.total_pence = 1250 and i.method = 'CARD'",
    ],
  ])('%s', async (_, body, where) => {
    const expected = await truth(where);
    const found = await search(body);
    expect(found.status, JSON.stringify(found.body)).toBe(200);
    expect(found.body.totalCount).toBe(expected.length);
    const ids = found.body.data.map((item: { paymentRequestId: string }) => item.paymentRequestId);
    expect(ids).toEqual(expected.slice(0, 20));
  });

  test('are found by number, amount, id and prefix of an id', async () => {
    const item = await one();
    const pounds = (Number(item.total_pence) / 100).toFixed(2);
    const numbers = await truth(
      `i.total_pence = ${item.total_pence} or r.order_id like 'ord-${pounds}%'`,
    );
    for (const text of [pounds, `£${pounds}`])
      expect((await search({ search: text })).body.totalCount).toBe(numbers.length);
    const id: string = item.payment_request_id;
    for (const text of [id, id.toUpperCase(), id.slice(0, 13)]) {
      const { body } = await search({ search: text });
      expect(body.totalCount).toBe(1);
      expect(body.data[0].paymentRequestId).toBe(id);
    }
    const both = await truth(
      "r.order_id like 'ord-1234%' or i.payment_request_id::text like '1234%'",
    );
    expect((await search({ search: '1234' })).body.totalCount).toBe(both.length);
  });

  const recent = { fromDate: dayBefore(90) };
  const isRecent = `${london('i.created_at')} >= '${dayBefore(90)}'`;
  const joneses = `a.consumer_name ilike '% jones' and ${isRecent}`;
  test.each([
    ['OLDEST', {}, 'true', 'created_at, id desc'],
    ['LARGEST', {}, 'true', 'total_pence desc, created_at desc, id desc'],
    ['SMALLEST', { status: ['FAILED'] }, "i.status = 'FAILED'", 'total_pence, created_at, id'],
    ['LARGEST', { search: 'jones', ...recent }, joneses, 'total_pence desc, created_at desc'],
  ])('%s first of %j are listed page by page', async (orderBy, body, where, order) => {
    const expected = await truth(where, order);
    const { data } = (await search({ ...body, orderBy }, '?page=1')).body;
    const ids = data.map((item: { paymentRequestId: string }) => item.paymentRequestId);
    expect(ids).toEqual(expected.slice(20, 40));
  });

  test('are sorted and added up among few matches only, and not read far from the first', async () => {
    const many = await search({ search: 'ord', orderBy: 'OLDEST' });
    expect([many.status, many.body.errors[0].field]).toEqual([400, 'orderBy']);
    const far = await search({ orderBy: 'LARGEST' }, '?page=500');
    expect([far.status, far.body.errors[0].field]).toEqual([400, 'page']);
    expect((await search({ search: 'ord', totals: true })).body.totals.isMinimum).toBe(true);
  });

  test.each([
    ['all', {}, 'true'],
    ['days and a status', { ...recent, status: ['FAILED'] }, `i.status = 'FAILED' and ${isRecent}`],
    ['a name', { ...recent, search: 'jones' }, joneses],
  ])('add up %s by status', async (_, body, where) => {
    const sums = 'count(*)::int as count, sum(i.total_pence)::float / 100 as amount';
    const joined = 'attempt a using (merchant_id, environment, payment_request_id, position)';
    const { rows: byStatus } = await client.query(
      `select i.status, ${sums} from transaction_item i join ${joined} where ${where}
       group by 1 order by 1`,
    );
    const { totals } = (await search({ ...body, totals: true }, '?size=1')).body;
    expect(totals).toMatchObject({ isMinimum: false, byStatus });
  });

  test('are found by customer, under either name', async () => {
    const { customer_id: id } = await one();
    const expected = await truth(`i.customer_id = '${id}'`);
    for (const body of [{ atoaCustomerIds: [id] }, { serviceCustomerIds: [id] }])
      expect((await search(body)).body.totalCount).toBe(expected.length);
  });

  test('have the same counts before and after folding', async () => {
    await client.query(
      `insert into transaction_count (merchant_id, environment, day, store_id, method, status, items,
         amount_pence)
       select merchant_id, environment, day, store_id, method, status, sign.n, sign.n * 100
       from transaction_count, (values (1), (-1)) as sign (n) where is_folded limit 500`,
    );
    const failed = async () => (await search({ status: ['FAILED'], totals: true })).body;
    const { totalCount, totals } = await failed();
    while ((await foldDays(service.tools, 1)) > 0);
    expect(await failed()).toMatchObject({ totalCount, totals });
    const loose = await client.query('select from transaction_count where not is_folded');
    expect(loose.rowCount).toBe(0);
  });

  const byCard = {
    cardType: null,
    transactionSubType: 'CARD',
    captureType: 'AUTO_CAPTURE',
    metadata: { isMitPayment: false },
    paymentMethodId: null,
  };

  test('have items with every member', async () => {
    const { body } = await search({}, '?size=1');
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toEqual({
      paymentIdempotencyId: expect.stringMatching(/^ATOA/),
      paymentRequestId: expect.any(String),
      ...{ customerId: 'customer', consumerId: null },
      merchantName: 'Corner Coffee',
      merchantId: service.sandbox.merchantId,
      orderId: `ord-${rows}`,
      consumerName: expect.stringMatching(/^[A-Z]/),
      paidAmount: expect.any(Number),
      totalRefundAmount: 0,
      currency: 'GBP',
      ...{ status: 'PENDING', outcome: null },
      transactionType: expect.stringMatching(/^(OPEN_BANKING|CARD)$/),
      institutionId: body.data[0].transactionType === 'CARD' ? null : 'mock-sandbox-v1',
      lastFourDigits: null,
      notes: null,
      storeDetails: { id: expect.any(String), address: '', locationName: 'DEFAULT' },
      ...{ createdAt: expect.stringMatching(/Z$/), updatedAt: expect.stringMatching(/Z$/) },
      ...(body.data[0].transactionType === 'CARD' ? { cardPaymentDetails: byCard } : {}),
    });
  });

  test('of another merchant are not found', async () => {
    const other = await service.newMerchant();
    for (const body of [{}, { search: 'smith' }, { search: 'smith', status: ['FAILED'] }]) {
      const secret = other.secrets.SANDBOX.secret;
      const found = await service.request('POST', '/api/payments/transactions', { secret, body });
      expect(found.body).toEqual({ data: [], totalCount: 0, page: 0, size: 20 });
    }
  });
});

test.each([
  [{ status: [] }, ''],
  [{ atoaCustomerIds: [] }, ''],
  [{ paymentMethod: [] }, ''],
  [{ storeIds: [] }, ''],
  [{ storeIds: ['DEFAULT'] }, ''],
  [{ atoaCustomerIds: ['1'] }, ''],
  [{ status: ['DONE'] }, ''],
  [{ paymentMethod: ['CASH'] }, ''],
  [{ fromDate: '01/02/2026' }, ''],
  [{ fromDate: '2026-02-30' }, ''],
  [{ toDate: '0000-01-01' }, ''],
  [{ fromDate: '2026-02-02', toDate: '2026-02-01' }, ''],
  [{ search: 'x'.repeat(101) }, ''],
  [{ search: 7 }, ''],
  [{ search: '\ud800' }, ''],
  [{}, '?page=-1'],
  [{}, '?size=0'],
  [{}, '?size=101'],
  [{}, '?page=x'],
])('reject %j %s', async (body, query) => {
  const refused = await search(body, query);
  expect(refused.status).toBe(400);
  expect(refused.body.name).toBe('BAD_REQUEST');
});

test('a search that takes too long is 503', async () => {
  await client.query('begin; lock table florin.transaction_item in access exclusive mode');
  const late = await search({ search: 'smith', status: ['FAILED'] });
  await client.query('rollback');
  expect(late).toMatchObject({ status: 503, body: { name: 'UNAVAILABLE' } });
  expect(late.body.message).toMatch(/takes too long/);
  expect(late.headers['retry-after']).toBe('5');
});

test.each([' ', '%', '_', "'", '\\', '£', '0', '🏪', 'a'.repeat(100)])(
  'survive %j',
  async (text) => {
    expect((await search({ search: text })).status).toBe(200);
  },
);
