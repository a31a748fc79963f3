import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { seed } from '../../../../tools/bench/search-seed.ts';
import {
  countBeginnings,
  foldBeginnings,
  registerBeginnings,
} from '../payments/store/count-beginnings.ts';
import { foldCounts } from '../payments/store/fold-counts.ts';
import { readDays } from '../payments/store/read-days.ts';
import { merchantRoutes } from './merchant-routes.ts';

const rows = 30_000;
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
  await seed({ url, merchantId, secretId: merchantId, storeId, rows });
});
afterAll(async () => {
  await client.end();
  await service.close();
});

const search = (body: object, query = '') =>
  service.request('POST', `/api/payments/transactions${query}`, { body });
const truth = async (where: string) => {
  const { rows: found } = await client.query(
    `select i.payment_request_id as id, i.created_at from transaction_item i
     join attempt a using (merchant_id, environment, payment_request_id, position)
     join payment_request r using (merchant_id, environment, payment_request_id)
     where ${where} order by i.created_at desc, id`,
  );
  return found.map(({ id }) => id as string);
};
const one = async () =>
  (await client.query('select * from transaction_item where customer_id is not null limit 1'))
    .rows[0];
const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const london = (column: string) => `(${column} at time zone 'Europe/London')::date`;

/** Where the counters of a beginning say something else than the transactions themselves. */
const wrongCounts = `
  select beginning, day, method, status, kept.items as kept, found.items as found from (
    select beginning, day, store_id, method, status, sum(items) as items
    from transaction_beginning_count where beginning = any ($1)
    group by 1, 2, 3, 4, 5 having sum(items) <> 0) kept
  full join (
    select beginning, london_day(created_at) as day, store_id, method, status, count(*) as items
    from transaction_item, unnest($1) as asked (beginning)
    where exists (select from unnest(words) w where starts_with(w, beginning))
    group by 1, 2, 3, 4, 5) found using (beginning, day, store_id, method, status)
  where kept.items is distinct from found.items limit 5`;

describe('thirty thousand transactions', () => {
  test('everything: newest first, every page, the right total', async () => {
    const all = await truth('true');
    for (const page of [0, 1, 700, rows / 20 - 1]) {
      const { body } = await search({}, `?page=${page}`);
      expect(body).toMatchObject({ totalCount: rows, page, size: 20 });
      const ids = body.data.map((item: { paymentRequestId: string }) => item.paymentRequestId);
      expect(ids).toEqual(all.slice(page * 20, page * 20 + 20));
    }
    const after = await search({}, `?page=${rows}`);
    expect(after.body).toMatchObject({ totalCount: rows, data: [] });
  });

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
    ['beginning of a name', { search: 'smi' }, "a.consumer_name ilike '% smi%'"],
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
  ])('%s', async (_, body, where) => {
    const expected = await truth(where);
    const found = await search(body);
    expect(found.status, JSON.stringify(found.body)).toBe(200);
    expect(found.body.totalCount).toBe(expected.length);
    const ids = found.body.data.map((item: { paymentRequestId: string }) => item.paymentRequestId);
    expect(ids).toEqual(expected.slice(0, 20));
  });

  test('number, amount, id and its beginning', async () => {
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

  test('customers, under either name', async () => {
    const { customer_id: id } = await one();
    const expected = await truth(`i.customer_id = '${id}'`);
    for (const body of [{ atoaCustomerIds: [id] }, { serviceCustomerIds: [id] }])
      expect((await search(body)).body.totalCount).toBe(expected.length);
  });

  test('the counts are the same before and after they are folded', async () => {
    await client.query(
      `insert into transaction_count (merchant_id, environment, day, store_id, method, status, items)
       select merchant_id, environment, day, store_id, method, status, sign.n
       from transaction_count, (values (1), (-1)) as sign (n) where is_folded limit 500`,
    );
    const before = (await search({ status: ['FAILED'] })).body.totalCount;
    while ((await foldCounts(service.database, 100)) > 0);
    expect((await search({ status: ['FAILED'] })).body.totalCount).toBe(before);
    const loose = await client.query('select from transaction_count where not is_folded');
    expect(loose.rowCount).toBe(0);
  });

  const everyAnswer = async () => {
    const answers: unknown[] = [];
    const { customer_id: customer } = await one();
    for (const [body, query] of common(customer)) answers.push((await search(body, query)).body);
    return answers;
  };
  const within = { fromDate: dayBefore(400), toDate: dayBefore(100) };
  const common = (customer: string): readonly (readonly [object, string])[] => [
    [{ search: 'ord' }, ''],
    [{ search: 'ORD-1' }, '?page=7'],
    [{ search: 'ord', ...within }, '?page=3&size=7'],
    [{ search: 'grace' }, '?page=1'],
    [{ search: 'smi', status: ['FAILED'] }, ''],
    [{ search: 'smith', status: ['PENDING', 'FAILED', 'CANCELLED'] }, '?size=5&page=2'],
    [{ search: 'ord', status: ['PENDING'] }, ''],
    [{ search: 'ord', paymentMethod: ['CARD'], ...within }, ''],
    [{ search: '1', status: ['CANCELLED'], ...within }, '?page=2'],
    [{ search: 'ada smith' }, ''],
    [{ search: 'jones ord' }, ''],
    [{ search: 'o 1 j' }, ''],
    [{ search: 'o 1 j' }, '?page=2&size=7'],
    [{ search: 'grace ord grace', ...within }, '?page=3&size=4'],
    [{ search: 'ord ada' }, '?page=9'],
    [{ search: 'ord ada', status: ['FAILED'] }, ''],
    [{ search: 'ord', atoaCustomerIds: [customer] }, ''],
    [{ search: 'ord ada', atoaCustomerIds: [customer] }, ''],
    [{ search: 'ord zzz', atoaCustomerIds: [customer] }, ''],
    [{ search: 'ord' }, `?page=${rows}`],
  ];

  test('common beginnings are answered the same once they are counted', {
    timeout: 90_000,
  }, async () => {
    const before = await everyAnswer();
    const limits = { leastItems: 60, sampledOfDay: 30, settleMs: 0, slice: 4_000 };
    expect(await registerBeginnings(service.database, limits)).toBeGreaterThan(100);
    // Of one merchant at a time, and all of them together.
    expect(await registerBeginnings(service.database, limits)).toBe(0);
    let slices = 0;
    while ((await countBeginnings(service.database, limits)) > 0) slices += 1;
    expect(slices).toBeGreaterThan(rows / limits.slice - 1);
    const open = await client.query('select from transaction_beginning where not is_counted');
    expect(open.rowCount).toBe(0);
    const wrong = await client.query(wrongCounts, [['ord', 'ord-1', 'grace', 'smi', '1']]);
    expect(wrong.rows).toEqual([]);
    expect(await everyAnswer()).toEqual(before);
    // Once more from the bits of the days, but for the newest day.
    let days = 0;
    for (let read = 1; read > 0; days += read)
      read = await readDays(service.database, { slice: 4_000, mostItemsOfDay: 1_000 });
    expect(days).toBeGreaterThan(700);
    expect((await client.query('select from transaction_day_beginning limit 1')).rowCount).toBe(1);
    expect(await everyAnswer()).toEqual(before);
  });

  test('a word that comes late to a day that was read is found, before and after it is read anew', async () => {
    const { body: found } = await search({ search: 'grace smith' });
    await client.query(
      `with one as (
         update transaction_item set words = words || array['smith']
         where (merchant_id, environment, payment_request_id, position) = (
           select merchant_id, environment, payment_request_id, position from transaction_item
           where 'grace' = any (words) and not 'smith' = any (words)
             and created_at between now() - interval '300 days' and now() - interval '200 days'
           limit 1)
         returning *),
       word as (
         insert into transaction_word (merchant_id, environment, word, created_at,
           payment_request_id, position, shared)
         select merchant_id, environment, 'smith', created_at, payment_request_id, position, 0 from one)
       insert into transaction_beginning_count (merchant_id, environment, beginning, day, store_id,
         method, status, items)
       select one.merchant_id, one.environment, b.beginning, london_day(created_at), store_id, method,
         status, 1
       from one join transaction_beginning b using (merchant_id, environment)
       where starts_with('smith', b.beginning)`,
    );
    const total = async () => (await search({ search: 'smith grace' })).body.totalCount;
    expect(await total()).toBe(found.totalCount + 1);
    while ((await foldBeginnings(service.database, 100)) > 0);
    expect(await readDays(service.database)).toBe(1);
    expect(await readDays(service.database)).toBe(0);
    expect(await total()).toBe(found.totalCount + 1);
  });

  const byCard = {
    cardType: null,
    transactionSubType: 'CARD',
    captureType: 'AUTO_CAPTURE',
    metadata: { isMitPayment: false },
    paymentMethodId: null,
  };

  test('an item is whole', async () => {
    const { body } = await search({}, '?size=1');
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toEqual({
      paymentIdempotencyId: expect.stringMatching(/^ATOA/),
      paymentRequestId: expect.any(String),
      customerId: 'customer',
      consumerId: null,
      merchantName: 'Corner Coffee',
      merchantId: service.sandbox.merchantId,
      orderId: `ord-${rows}`,
      consumerName: expect.stringMatching(/^[A-Z]/),
      paidAmount: expect.any(Number),
      currency: 'GBP',
      status: 'PENDING',
      transactionType: expect.stringMatching(/^(OPEN_BANKING|CARD)$/),
      notes: null,
      storeDetails: { id: expect.any(String), address: '', locationName: 'DEFAULT' },
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      ...(body.data[0].transactionType === 'CARD' ? { cardPaymentDetails: byCard } : {}),
    });
  });

  test('nobody sees those of another merchant', async () => {
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
])('refuses %j %s', async (body, query) => {
  const refused = await search(body, query);
  expect(refused.status).toBe(400);
  expect(refused.body.name).toBe('BAD_REQUEST');
});

test('a search that takes too long is told so', async () => {
  await client.query('begin; lock table florin.transaction_item in access exclusive mode');
  const late = await search({ search: 'smith', status: ['FAILED'] });
  await client.query('rollback');
  expect(late).toMatchObject({ status: 503, body: { name: 'UNAVAILABLE' } });
  expect(late.body.message).toMatch(/takes too long/);
  expect(late.headers['retry-after']).toBe('5');
});

test.each([' ', '%', '_', "'", '\\', '£', '0', '🏪', 'a'.repeat(100)])(
  'survives %j',
  async (text) => {
    expect((await search({ search: text })).status).toBe(200);
  },
);
