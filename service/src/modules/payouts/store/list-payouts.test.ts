import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import type { Statement } from '../../../platform/database/statement.ts';
import {
  countFoundPayouts,
  countMatches,
  countPayouts,
  listLines,
  listMatches,
  listPayoutRows,
} from './list-payouts.ts';

let service: TestService;
let payoutId: string;
beforeAll(async () => {
  service = await openTestService();
  payoutId = await seed();
});
afterAll(() => service.close());

/** Four thousand payouts of each of two merchants, and one of a thousand lines. */
const seed = async (): Promise<string> => {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('set search_path = florin; set session_replication_role = replica');
  const insert = `insert into payout (merchant_id, environment, payout_id, status, reference,
      sort_code, account_number, account_name, amount_pence, line_count, period_ends_business_at,
      created_at, updated_at, finalized_at)
    select $1, 'SANDBOX', gen_random_uuid(),
      (array['PROCESSING', 'SETTLED', 'SETTLED', 'FAILED'])[1 + i % 4],
      'FPY' || upper(left(md5(i::text), 11)), '180002', lpad(i::text, 8, '0'), 'n', i * 7, 1000,
      at, at, at, at
    from generate_series(1, 4000) i, lateral (select now() - i * interval '5 hours' as at) t`;
  for (const merchantId of [service.sandbox.merchantId, crypto.randomUUID()])
    await client.query(insert, [merchantId]);
  const { rows } = await client.query<{ payout_id: string }>(
    'select payout_id from payout where merchant_id = $1 order by created_at limit 1',
    [service.sandbox.merchantId],
  );
  await client.query(
    `insert into payout_line (merchant_id, environment, payout_id, entry_id, amount_pence, reason,
       resource_id, attempt_id, store_id, occurred_at)
     select p.merchant_id, p.environment, p.payout_id, row_number() over (), 1, 'PAYMENT_SETTLED',
       gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now()
     from payout p, generate_series(1, 8)`,
  );
  await client.query(`insert into payout_count
    select merchant_id, environment, (created_at at time zone 'Europe/London')::date, status, count(*)
    from payout group by 1, 2, 3, 4`);
  await client.query('analyze payout; analyze payout_line; analyze payout_count');
  await client.end();
  return rows[0]?.payout_id ?? '';
};

const everything = {
  fromDay: '-infinity',
  toDay: 'infinity',
  status: null,
  reference: null,
  amountPence: null,
};

const planOf = async <Values extends object>(
  described: Statement<Values, object>,
  values: object,
): Promise<string> => {
  const { merchantId } = service.sandbox;
  const explained = {
    ...described,
    name: `test_explain_${described.name}`,
    text: `explain ${described.text}`,
    isPlannedPerCall: true,
  };
  const rows = await service.database.tenant(merchantId, explained as Statement<object, object>, {
    ...service.sandbox,
    ...values,
  });
  return rows.map((row) => Object.values(row).join('')).join('\n');
};

const firstPage = { limit: 20, skipped: 0 };

test.each([
  ['no filter', {}, 'payout_by_time'],
  ['days', { fromDay: '2026-01-01', toDay: '2026-01-31' }, 'payout_by_time'],
  ['a status', { status: 'FAILED' }, 'payout_by_status'],
  ['an amount', { amountPence: '7000' }, 'payout_by_amount'],
  ['the beginning of a reference', { reference: 'FPYA1B2' }, 'payout_by_reference'],
])('%s is found by an index', async (_, filter, index) => {
  for (const direction of ['OLDEST', 'NEWEST'] as const) {
    const values = { ...everything, ...firstPage, ...filter };
    const plan = await planOf(listPayoutRows[direction], values);
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan');
  }
  for (const count of [countPayouts, countFoundPayouts])
    expect(await planOf<never>(count, { ...everything, ...filter })).not.toContain('Seq Scan');
});

test('the newest page is read in the order of the index, without sorting', async () => {
  const plan = await planOf(listPayoutRows.NEWEST, { ...everything, ...firstPage });
  expect(plan).toMatch(/Index (Only )?Scan Backward using payout_by_time/);
  expect(plan).not.toContain('Sort');
});

test('matches are read by the time of settlement, a page at a time', async () => {
  const days = { fromDay: '2026-01-01', toDay: '2026-01-31', match: 'MISSING' as const };
  for (const plan of [
    await planOf(listMatches, { ...days, ...firstPage }),
    await planOf(countMatches, days),
  ]) {
    expect(plan).toContain('payout_settled');
    expect(plan).not.toContain('Seq Scan on payout ');
  }
});

test('lines are read by their key, a page at a time', async () => {
  const plan = await planOf(listLines, { payoutId, limit: 10, skipped: 0 });
  expect(plan).toContain('payout_line_pkey');
  expect(plan).not.toContain('Seq Scan on payout_line');
  expect(plan).not.toContain('WindowAgg');
});

test('a number of all payouts reads none of them', async () => {
  const plan = await planOf(countPayouts, everything);
  expect(plan).not.toMatch(/ on payout /);
});

test.each([
  ['all', {}],
  ['a status', { status: 'SETTLED' }],
  ['days', { fromDay: '2026-01-01', toDay: '2026-01-31' }],
  ['days and a status', { fromDay: '2025-12-31', toDay: '2026-01-31', status: 'FAILED' }],
])('the number of %s is that of the payouts', async (_, filter) => {
  const { merchantId } = service.sandbox;
  const values = { ...service.sandbox, ...everything, ...filter };
  const found = await service.database.tenant(merchantId, countFoundPayouts, values);
  expect(await service.database.tenant(merchantId, countPayouts, values)).toEqual(found);
  expect(found[0]?.total).toBeGreaterThan(0);
});
