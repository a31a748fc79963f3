import { limits } from '@florin/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMerchantRefunds } from '../../../../contract/dashboard/index.ts';
import { type MemberPages, openMemberPages } from './test/open-member-pages.ts';

let pages: MemberPages;
let client: pg.Client;

// Orders INV-1001 to INV-1012, by turns of Ada and of Grace.
const refunds = `insert into refund (merchant_id, environment, refund_id, payment_request_id,
   attempt_id, payment_idempotency_id, order_id, store_id, secret_id, method, status, step,
   amount_pence, paid_pence, created_at, updated_at)
 select $1, 'SANDBOX', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'p', 'INV-' || 1000 + i,
   $2, gen_random_uuid(), 'CARD', case when i > 9 then 'FAILED' else 'COMPLETED' end, 'ENDED', 100 * i,
   1000, at, at
 from generate_series(1, 12) i, lateral (select timestamptz '2026-03-01 10:00Z' + i * interval '1 day'
   as at) t`;
const items = `insert into transaction_item (merchant_id, environment, payment_request_id, position,
   created_at, status, method, store_id, total_pence, words)
 select merchant_id, environment, payment_request_id, 1, created_at, 'COMPLETED', method, store_id, 5000,
   ' ' || lower(order_id) || ' ' || substr(order_id, 5) || ' 50.00 '
     || case when amount_pence % 200 = 0 then 'ada' else 'grace' end
 from refund where merchant_id = $1`;
const words = `insert into transaction_word (merchant_id, environment, word, created_at,
   payment_request_id, position, shared)
 select i.merchant_id, i.environment, w.word, i.created_at, i.payment_request_id, 1, 0
 from transaction_item i cross join lateral regexp_split_to_table(ltrim(i.words), ' ') w (word)
 where i.merchant_id = $1`;
const common = `insert into transaction_word (merchant_id, environment, word, created_at,
   payment_request_id, position, shared)
 select $1, 'SANDBOX', 'inv-' || i, now(), gen_random_uuid(), 1, 0 from generate_series(1, $2::int) i`;

beforeAll(async () => {
  pages = await openMemberPages();
  const { merchantId, storeIds } = pages.merchant;
  const options = '-c search_path=florin';
  client = new pg.Client({ connectionString: pages.databaseUrl, options });
  await client.connect();
  // Rows without those that they refer to.
  await client.query('set session_replication_role = replica');
  await client.query(refunds, [merchantId, storeIds.SANDBOX]);
  await client.query(items, [merchantId]);
  await client.query(words, [merchantId]);
});

afterAll(async () => {
  await client.end();
  await pages.close();
});

const ordersWith = async (search: string, more: object = {}): Promise<string[]> => {
  const orders: string[] = [];
  let before: string | null = null;
  do {
    const query = { search, limit: 5, ...more, ...(before && { before }) };
    const { status, body } = await pages.call(listMerchantRefunds, { query });
    expect(status, JSON.stringify(body)).toBe(200);
    orders.push(...body.data.map(({ orderId }: { orderId: string }) => orderId));
    before = body.nextBefore;
  } while (before);
  return orders;
};

const totalsWith = async (search: string) =>
  (await pages.call(listMerchantRefunds, { query: { search, totals: 'true', limit: 1 } })).body
    .totals;

const all = Array.from({ length: 12 }, (_, at) => `INV-${1012 - at}`);

test('refunds are found by order, a part of it, customer, amount and several words', async () => {
  expect(await ordersWith('inv-1007')).toEqual(['INV-1007']);
  expect(await ordersWith('1007')).toEqual(['INV-1007']);
  expect(await ordersWith('Ada')).toEqual(all.filter((order) => Number(order.at(-1)) % 2 === 0));
  expect(await ordersWith('grace 1011')).toEqual(['INV-1011']);
  expect(await ordersWith('ada 1011')).toEqual([]);
  expect(await ordersWith('£7')).toEqual(['INV-1007']);
  // The amount of the payment.
  expect(await ordersWith('50.00')).toEqual(all);
  expect(await ordersWith('\u0301')).toEqual([]);
  expect(await ordersWith('ada', { orderBy: 'SMALLEST' })).toEqual(
    all.filter((order) => Number(order.at(-1)) % 2 === 0).toReversed(),
  );
  expect(await totalsWith('grace')).toMatchObject({ count: 6, amount: 36, isMinimum: false });
});

test('what many payments are named is found in every refund too, page by page', async () => {
  await client.query(common, [pages.merchant.merchantId, limits.searchMatchesMax]);
  expect(await ordersWith('inv')).toEqual(all);
  expect(await ordersWith('inv', { orderBy: 'SMALLEST' })).toEqual(all.toReversed());
  expect(await ordersWith('inv', { status: 'FAILED' })).toEqual(all.slice(0, 3));
  expect(await totalsWith('inv')).toEqual({
    ...{ count: 12, amount: 78, isMinimum: false },
    byStatus: [
      { status: 'COMPLETED', count: 9, amount: 45 },
      { status: 'FAILED', count: 3, amount: 33 },
    ],
  });
  expect(await ordersWith('inv-1007')).toEqual(['INV-1007']);
});
