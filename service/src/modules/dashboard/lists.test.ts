import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listMerchantRefunds } from '../../../../contract/dashboard/index.ts';
import { merchantRoutes as payoutRoutes } from '../payouts/routes.ts';
import { type MemberPages, openMemberPages } from './test/open-member-pages.ts';

let pages: MemberPages;
let otherStore: string;

const storeInsert = `insert into store (merchant_id, environment, store_id, location_name, is_primary,
   created_at, updated_at)
 values ($1, 'SANDBOX', gen_random_uuid(), 'Harbour', false, now(), now()) returning store_id`;
const refundInsert = `insert into refund (merchant_id, environment, refund_id, payment_request_id,
   attempt_id, payment_idempotency_id, order_id, store_id, secret_id, method, status, step,
   amount_pence, paid_pence, created_at, updated_at)
 select $1, 'SANDBOX', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'p', i::text,
   case when i % 2 = 0 then $2::uuid else $3::uuid end, gen_random_uuid(), 'CARD',
   case when i > 4 then 'FAILED' else 'COMPLETED' end, 'ENDED', 100 * (1 + i * 5 % 7), 1000, at, at
 from generate_series(1, 7) i, lateral (select timestamptz '2026-03-01 10:00Z' + i * interval '1 day'
   as at) t`;
const payoutInsert = `insert into payout (merchant_id, environment, payout_id, status, reference,
   sort_code, account_number, account_name, amount_pence, period_ends_business_at, created_at,
   updated_at)
 select $1, 'SANDBOX', gen_random_uuid(), case when i > 2 then 'SETTLED' else 'FAILED' end,
   'FPY' || i, '180002', '00000190', 'n', 100 * (1 + i * 2 % 5), at, at, at
 from generate_series(1, 4) i, lateral (select timestamptz '2026-03-01 10:00Z' + i * interval '1 day'
   as at) t`;

beforeAll(async () => {
  pages = await openMemberPages((tools) => payoutRoutes(tools));
  const { merchantId, storeIds } = pages.merchant;
  const options = '-c search_path=florin';
  const client = new pg.Client({ connectionString: pages.databaseUrl, options });
  await client.connect();
  otherStore = (await client.query(storeInsert, [merchantId])).rows[0].store_id;
  // Rows without those that they refer to.
  await client.query('set session_replication_role = replica');
  await client.query(refundInsert, [merchantId, storeIds.SANDBOX, otherStore]);
  await client.query(payoutInsert, [merchantId]);
  await client.end();
});
afterAll(() => pages.close());

type Row = { readonly amount: number; readonly createdAt: string };

const orders = {
  NEWEST: (one: Row, other: Row) => other.createdAt.localeCompare(one.createdAt),
  OLDEST: (one: Row, other: Row) => one.createdAt.localeCompare(other.createdAt),
  LARGEST: (one: Row, other: Row) => Number(other.amount) - Number(one.amount),
  SMALLEST: (one: Row, other: Row) => Number(one.amount) - Number(other.amount),
} as const;

test.each(Object.entries(orders))(
  'refunds, %s first, go on page by page',
  async (orderBy, order) => {
    const read: Row[] = [];
    let before: string | null = null;
    do {
      const query = { orderBy, limit: 2, ...(before && { before }) };
      const { status, body } = await pages.call(listMerchantRefunds, { query });
      expect(status, JSON.stringify(body)).toBe(200);
      read.push(...body.data);
      before = body.nextBefore;
    } while (before);
    expect(read).toHaveLength(7);
    expect(read).toEqual(read.toSorted(order));
  },
);

test('refunds are added up by what is filtered, on all pages', async () => {
  const totalsOf = async (query: object) =>
    (await pages.call(listMerchantRefunds, { query: { ...query, totals: 'true', limit: 1 } })).body
      .totals;
  expect(await totalsOf({})).toEqual({
    ...{ count: 7, amount: 28, isMinimum: false },
    byStatus: [
      { status: 'COMPLETED', count: 4, amount: 19 },
      { status: 'FAILED', count: 3, amount: 9 },
    ],
  });
  expect(await totalsOf({ storeId: otherStore, status: 'FAILED' })).toMatchObject({ count: 2 });
  expect(await totalsOf({ from: '2026-03-03', to: '2026-03-03' })).toMatchObject({ count: 1 });
  const [{ amount }] = (await pages.call(listMerchantRefunds)).body.data;
  expect(await totalsOf({ search: amount.toFixed(2) })).toMatchObject({ count: 1, amount });
  expect(await totalsOf({ search: 'no such order' })).toMatchObject({ count: 0 });
  const { data } = (await pages.call(listMerchantRefunds, { query: { storeId: otherStore } })).body;
  expect(new Set(data.map(({ storeName }: { storeName: string }) => storeName))).toEqual(
    new Set(['Harbour']),
  );
});

test('payouts are sorted by amount and added up', async () => {
  const list = async (query: string) => (await pages.request('GET', `/api/payouts?${query}`)).body;
  const amounts = async (orderBy: string) =>
    (await list(`orderBy=${orderBy}`)).data.map(({ amount }: Row) => Number(amount));
  expect(await amounts('LARGEST')).toEqual([5, 4, 3, 2]);
  expect(await amounts('SMALLEST')).toEqual([2, 3, 4, 5]);
  expect(await amounts('ASC')).toEqual(await amounts('OLDEST'));
  expect((await list('totals=true&status=SETTLED')).totals).toMatchObject({
    ...{ count: 2, amount: 6, byStatus: [{ status: 'SETTLED', count: 2, amount: 6 }] },
  });
});
