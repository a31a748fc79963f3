import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
// Loads the stores of every job.
import '../../../service/src/modules/dashboard/timeline.ts';
import '../../../service/src/programs/wiring/open-worker.ts';
import { madeStatements } from '../../../service/src/platform/database/statement.ts';
import { openTestService, type TestService } from '../../harness/open-test-service.ts';

const rows = 12_000;
// The account's entries and lines are hundreds of pages.
const maxBuffers = 60;

const payoutId = randomUUID();
const otherPayoutId = randomUUID();
let service: TestService;
let client: pg.Client;

const fill = (merchantId: string, storeId: string): readonly string[] => [
  `insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence, reason,
     resource_id, store_id, occurred_at)
   select '${merchantId}', 'SANDBOX', gen_random_uuid(), 'MERCHANT_PAYABLE', -100, 'PAYMENT_SETTLED',
     gen_random_uuid(), '${storeId}', now() from generate_series(1, ${rows}) i`,
  `insert into payout (merchant_id, environment, payout_id, status, reference, sort_code,
     account_number, account_name, period_ends_business_at, created_at, updated_at)
   values ('${merchantId}', 'SANDBOX', '${payoutId}', 'SETTLED', 'r', '180002', '00000190', 'n', now(),
     now(), now())`,
  `insert into payout_line (merchant_id, environment, payout_id, entry_id, amount_pence, reason,
     resource_id, store_id, occurred_at)
   select '${merchantId}', 'SANDBOX', case when i = ${rows} then '${payoutId}'::uuid
       else '${otherPayoutId}' end, e.entry_id, 100, e.reason, e.resource_id, e.store_id, now()
   from (select *, row_number() over (order by entry_id) as i from ledger_entry) e`,
  `insert into payout_cursor values ('${merchantId}', 'SANDBOX', '9223372036854775807')`,
  `insert into outgoing_turn (merchant_id, environment, version)
   values ('${merchantId}', 'SANDBOX', 1)`,
  `insert into transfer_batch (merchant_id, environment, message_id, subject, execution_date, debtor,
     on_behalf_of, due_at, created_at)
   values ('${merchantId}', 'SANDBOX', 'refunds', 'REFUND', now(), '{}', 'm', now(), now())`,
  `insert into transfer (merchant_id, environment, end_to_end_id, message_id, position, subject_id,
     amount_pence, creditor_encrypted, reference)
   values ('${merchantId}', 'SANDBOX', 'refund', 'refunds', 0, gen_random_uuid(), 1, '\\x00', 'r')`,
  `insert into transfer_entry (environment, entry_key, end_to_end_id, kind, amount_pence)
   values ('SANDBOX', 'key', 'refund', 'DEBIT', 1)`,
  `insert into refund (merchant_id, environment, refund_id, payment_request_id, attempt_id,
     payment_idempotency_id, order_id, store_id, secret_id, method, status, step, amount_pence,
     paid_pence, created_at, updated_at)
   select '${merchantId}', 'SANDBOX', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'p', 'o',
     '${storeId}', gen_random_uuid(), 'CARD', 'COMPLETED', 'ENDED', 100, 100, at, at
   from (select timestamptz '2030-01-01' + i * interval '1 minute' as at
     from generate_series(1, ${rows}) i) times`,
  `insert into transaction_word (merchant_id, environment, word, created_at, payment_request_id,
     position, shared)
   select merchant_id, environment, 'inv-' || row_number() over (order by refund_id), created_at,
     payment_request_id, 1, 0
   from refund`,
];

const filled = [
  'ledger_entry',
  'payout',
  'payout_line',
  'payout_cursor',
  'transfer_entry',
  'refund',
  'transaction_word',
];

beforeAll(async () => {
  service = await openTestService();
  const { merchantId } = service.sandbox;
  client = new pg.Client({
    connectionString: service.databaseUrl,
    options: '-c search_path=florin -c plan_cache_mode=force_generic_plan',
  });
  await client.connect();
  // Rows without those that they refer to: only what is read of them is looked at.
  await client.query('set session_replication_role = replica');
  for (const text of fill(merchantId, service.merchant.storeIds.SANDBOX)) await client.query(text);
  for (const table of filled) await client.query(`vacuum (analyze) ${table}`);
  await client.query('set session_replication_role = origin');
});

afterAll(async () => {
  await client.end();
  await service.close();
});

const pagesOf = async (name: string, role: string, isPerCall = false): Promise<number> => {
  const made = madeStatements().find((found) => found.name === name);
  if (!made) throw new Error(`no statement ${name}`);
  const { merchantId } = service.sandbox;
  const values: Record<string, string> = {
    ...{ merchantId, environment: 'SANDBOX', payoutId, turnVersion: '1' },
    storeId: service.merchant.storeIds.SANDBOX,
    ...{ fromDay: '2030-01-01', toDay: '2031-01-01', status: 'COMPLETED' },
    // One of a payment that no other is named like, and an amount that no refund has.
    ...{
      word: 'inv-7000',
      wordBelow: 'inv-7001',
      patterns: '{inv}',
      searchPence: '7',
      max: '10001',
    },
    // A page of the oldest refunds.
    ...{ beforeKey: '1893459600000000', beforeId: payoutId },
    ...{
      periodEndsAt: '2031-01-01',
      endToEndIds: '{refund}',
      from: merchantId,
      limit: '50',
      shown: '50',
    },
  };
  const names: string[] = [];
  const text = made.sql.replace(/(?<!:):([a-z]\w*)/gi, (_, value: string) => {
    if (!names.includes(value)) names.push(value);
    return `$${names.indexOf(value) + 1}`;
  });
  await client.query('begin');
  try {
    await client.query(`set local role ${role}`);
    if (isPerCall) await client.query('set local plan_cache_mode = force_custom_plan');
    await client.query("select set_config('florin.merchants', $1, true)", [`{${merchantId}}`]);
    await client.query(`prepare tested as ${text}`);
    const given = names
      .map((value) => (value in values ? `'${values[value]}'` : 'null'))
      .join(', ');
    const explain = `explain (analyze, buffers, format json) execute tested(${given})`;
    const [row] = (await client.query(explain)).rows;
    const { Plan: plan } = row['QUERY PLAN'][0];
    return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
  } finally {
    await client.query('rollback');
    await client.query('deallocate all');
  }
};

test.each([
  ['refund_read_payable', 'florin_tenant'],
  ['payout_attach_lines', 'florin_tenant'],
  ['payout_read', 'florin_tenant'],
  ['dashboard_refunds_newest', 'florin_tenant'],
  ['transfer_read_sides', 'florin_system'],
  ['payout_tenants_with_lines', 'florin_system'],
])('%s reads few pages of an account with a long history', async (name, role) => {
  expect(await pagesOf(name, role)).toBeLessThan(maxBuffers);
});

test.each(['oldest', 'largest', 'smallest'])(
  'refunds, the %s first, read few pages',
  async (order) => {
    const pages = await pagesOf(`dashboard_refunds_${order}`, 'florin_tenant', true);
    expect(pages).toBeLessThan(maxBuffers);
  },
);

test.each(['newest', 'oldest', 'largest', 'smallest'])(
  'refunds by a word or an amount, the %s first, read few pages',
  async (order) => {
    const pages = await pagesOf(`dashboard_refunds_search_${order}`, 'florin_tenant', true);
    expect(pages).toBeLessThan(maxBuffers);
  },
);

test('refunds by a word or an amount are added up from few pages', async () => {
  const pages = await pagesOf('dashboard_refund_totals_search', 'florin_tenant', true);
  expect(pages).toBeLessThan(maxBuffers);
});
