import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestService, type TestService } from '../../../../test/harness/open-test-service.ts';
import { seedPayments } from '../../../../tools/bench/seed-payments.ts';
import {
  countBeginnings,
  foldBeginnings,
  registerBeginnings,
} from '../payments/store/count-beginnings.ts';
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
  await seedPayments({ url, merchantId, secretId: merchantId, storeId, rows });
});
afterAll(async () => {
  await client.end();
  await service.close();
});

const search = (body: object, query = '') =>
  service.request('POST', `/api/payments/transactions${query}`, { body });
const one = async () =>
  (await client.query('select * from transaction_item where customer_id is not null limit 1'))
    .rows[0];
const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
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

test('a word that comes late to a day that was read is found', async () => {
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
