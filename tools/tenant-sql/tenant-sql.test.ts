import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listMigrations, migrationsFolder } from '../../service/src/platform/database/migrate.ts';
import { madeStatements } from '../../service/src/platform/database/statement.ts';
import {
  openTestDatabase,
  type TestDatabase,
} from '../../test/harness/database/open-test-database.ts';
import { findUnscopedTables, type Table } from './find-unscoped-tables.ts';
import { loadStores } from './load-stores.ts';
import {
  findCoalescedBounds,
  findNewerSql,
  findUnportableSql,
  findVolatileComparisons,
} from './sql-rules.ts';

/** Tables of the system, whose rows belong to no merchant or lead to one. */
const systemTables = new Set([
  ...['migration', 'cluster_epoch', 'health_probe', 'cell'],
  'secret_directory',
  'public_id',
  'collecting_account',
  'bank_message',
  'bank_notice',
  ...['account_credit', 'account_debit', 'booking_mention'],
  ...['transfer_entry', 'transfer_folder'],
  'bank_balance',
  'operator_case',
  'operator_case_history',
  'ledger_verification',
  'operator_secret',
  'audit_record',
  'audit_head',
  'audit_seal',
  'purpose_key',
  'person',
  'person_session',
  'person_credential',
  'person_passkey',
  'person_two_factor',
  'person_verification',
  'person_link',
  'person_mail',
  ...['mail_allowance', 'failed_job'],
]);

/** Statements across merchants: claims of due work, verifications of the books, look-ups. */
const crossTenantStatements = new Set([
  'access_secret_origin',
  'books_money_11',
  'books_money_12',
  'books_money_13',
  'books_money_14',
  'books_money_15',
  'books_money_16',
  'books_money_24',
  'books_money_25',
  'books_money_26',
  ...[
    'card_account_tenants',
    'cell_addresses',
    'cell_hidden',
    'cell_map_ids',
    'cell_map_merchants',
    'cell_sides',
    'cluster_epoch_last_written',
  ],
  'card_claim_detachments',
  'card_prune_detachments',
  'delivery_claim',
  'delivery_claim_overdue',
  'delivery_discover',
  'ledger_find_snapshot_differences',
  'ledger_find_unbalanced',
  'ledger_sum_accounts',
  'ledger_tenants_to_snapshot',
  'mail_claim',
  'mail_prune',
  'merchant_first',
  ...['operator_payments_by_words', 'operator_payments_newest', 'operator_payments_named'],
  'money_day_tenants',
  'monitoring_see',
  'request_log_insert',
  'page_opening_insert',
  'webhook_hour_prune',
  ...['invite_find', 'invite_take'],
  ...['member_notice_due', 'webhook_endpoint_failing'],
  'membership_list_of_person',
  'merchant_list',
  'merchant_suspension_list',
  'erasure_claim',
  'erasure_prune',
  'erasure_old_payments',
  'erasure_old_customers',
  'erasure_erased_again',
  'person_session_prune',
  'person_delete',
  'payment_claim_polls',
  'payment_claim_card_polls',
  'payment_claim_captures',
  'payment_find_attempt_of_card',
  'payment_find_attempt_of_card_payment',
  'card_charge_guard_prune',
  'payment_due_operator_alerts',
  'transaction_count_loose',
  'payment_due_authorisations',
  'payment_due_requests',
  'dispute_answer_due',
  'work_lease_prune',
  'work_next_due',
  'bank_authorisation_find_due',
  'bank_refresh_claim',
  'bank_refresh_hurry',
  'bank_removal_claim',
  'bank_removal_forget_ways_back',
  'statement_mail_due',
  'payout_due_tenants',
  'payout_tenants_with_lines',
  'receipt_claim',
  'refund_claim_handed_over',
  'refund_due_tenants',
  'transfer_claim_batches',
  'transfer_find',
  'transfer_find_of_batch',
  'receipt_prune',
  'stuck_work_list',
  'failed_mail_list',
]);

// A log without a primary key is checked by its index.
const catalogue = `
  select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as "isProtected",
    coalesce((select array_agg(a.attname::text order by k.position)
      from pg_index i, unnest(i.indkey::int2[]) with ordinality k (number, position)
      join pg_attribute a on a.attnum = k.number
      where i.indexrelid = k_of.index and a.attrelid = c.oid), '{}') as key,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'environment')
      as "hasEnvironment"
  from pg_class c
  cross join lateral (select max(i.indexrelid) as index from pg_index i where i.indrelid = c.oid
    and (i.indisprimary or not exists (
      select from pg_index p where p.indrelid = c.oid and p.indisprimary))) k_of
  where c.relnamespace = 'florin'::regnamespace and c.relkind in ('r', 'p')
    and not c.relispartition`;

let database: TestDatabase;
let tables: ReadonlyMap<string, Table>;
let merchantTables: ReadonlyMap<string, Table>;

beforeAll(async () => {
  database = await openTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<Table>(catalogue);
  await client.end();
  tables = new Map(rows.map((table) => [table.name, table]));
  merchantTables = new Map([...tables].filter(([name]) => !systemTables.has(name)));
});

afterAll(() => database.close());

describe('tables', () => {
  test('of merchant data start their key with merchant_id and force row-level security', () => {
    expect(merchantTables.size).toBeGreaterThan(10);
    const loose = [...merchantTables.values()].filter(
      ({ key, isProtected }) => key[0] !== 'merchant_id' || !isProtected,
    );
    expect(loose).toEqual([]);
  });

  test('of the system all exist', () => {
    expect([...systemTables].filter((name) => !tables.has(name))).toEqual([]);
  });
});

describe('statements', () => {
  let written = 0;

  beforeAll(async () => {
    written = await loadStores();
  });

  test('are all made when their store is loaded', () => {
    expect(written).toBeGreaterThan(20);
    expect(ownStatements().length).toBeGreaterThanOrEqual(written);
  });

  test('on merchant data name merchant_id and environment', () => {
    const unnamed = ownStatements()
      .filter(({ name }) => !crossTenantStatements.has(name))
      .flatMap(({ name, sql }) =>
        findUnscopedTables(sql, merchantTables).map((use) => `${name}: ${use}`),
      );
    expect(unnamed).toEqual([]);
  });

  test.each([
    ['compare with no time that changes while they run', findVolatileComparisons],
    ['bound an index of merchant data with no coalesce', findCoalescedBounds],
    ['survive a restore: no position on disk, no number of one cluster', findUnportableSql],
  ])('%s', (_, find) => {
    const found = ownStatements().flatMap(({ name, sql }) =>
      find(sql).map((use) => `${name}: ${use}`),
    );
    expect(found).toEqual([]);
  });

  test('use nothing that is newer than PostgreSQL 15, and migrations neither', async () => {
    const migrations = await Promise.all(
      (await listMigrations()).map(async (name) => ({
        name,
        sql: await readFile(new URL(name, migrationsFolder), 'utf8'),
      })),
    );
    const found = [...ownStatements(), ...migrations].flatMap(({ name, sql }) =>
      findNewerSql(sql).map((use) => `${name}: ${use}`),
    );
    expect(found).toEqual([]);
  });

  test('across merchants all exist', () => {
    const names = new Set(madeStatements().map(({ name }) => name));
    expect([...crossTenantStatements].filter((name) => !names.has(name))).toEqual([]);
  });
});

// Other test files of the same worker make statements of their own.
const ownStatements = () => madeStatements().filter(({ name }) => !name.startsWith('test_'));

describe('a statement that omits the tenant', () => {
  test.each([
    ['select 1 from customer where customer_id = :id', 'from customer'],
    ['select 1 from customer where merchant_id = :merchantId', 'from customer'],
    ['select merchant_id, environment from customer', 'from customer'],
    ['update customer set email = null where environment = :environment', 'update customer'],
    [`with customer as (select 1 from customer) select 1 from customer`, 'from customer'],
    [
      `with c as (select * from customer where customer_id = :id)
       select 1 from event where merchant_id = :merchantId and environment = :environment`,
      'from customer',
    ],
  ])('is found: %s', (text, use) => {
    expect(findUnscopedTables(text, merchantTables)).toEqual([use]);
  });

  test.each([
    'select 1 from customer where merchant_id = :merchantId and environment = :environment',
    'insert into customer (merchant_id, environment, customer_id) values (:m, :e, :id)',
    `with customer as (select 1 from event where merchant_id = :m and environment = :e)
     select 1 from customer`,
    'select 1 from secret_directory where secret_sha256 = :hash',
    'select 1 from merchant where merchant_id = :merchantId',
  ])('is not found in: %s', (text) => {
    expect(findUnscopedTables(text, merchantTables)).toEqual([]);
  });
});

describe('SQL that a restore would break', () => {
  test.each([
    'select ctid from delivery',
    'where e.written_in < pg_snapshot_xmin(pg_current_snapshot())',
    'values (pg_current_xact_id())',
    'select xmin from event',
  ])('is found: %s', (text) => {
    expect(findUnportableSql(text).length).toBeGreaterThan(0);
  });

  test.each(['select written_in()', 'where e.written_in < written_horizon()'])(
    'is not found: %s',
    (text) => {
      expect(findUnportableSql(text)).toEqual([]);
    },
  );
});

describe('a comparison with a volatile time', () => {
  test.each([
    'where due_at <= clock_timestamp()',
    'where leased_until\n   <\n clock_timestamp() - interval :ms',
    'where clock_timestamp() - interval :ms > written_at',
    'where expires_at > business_now(:merchantId, :environment)',
    'where due_at between clock_timestamp() and :until',
  ])('is found: %s', (text) => {
    expect(findVolatileComparisons(text)).toHaveLength(1);
  });

  test.each([
    'where due_at <= statement_timestamp()',
    'where due_at <= now()',
    'update t set done_at = clock_timestamp(), outcome = :outcome where attempts < :attempts',
    'select clock_timestamp() + c.moved as now, c.moved from c where c.moved > :moved',
  ])('is not found: %s', (text) => {
    expect(findVolatileComparisons(text)).toEqual([]);
  });
});
