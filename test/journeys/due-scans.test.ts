import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replaceNames } from '../../service/src/platform/database/sql.ts';
// Loads the stores of every job, and the list of work that is stuck.
import '../../service/src/modules/stuck-work/index.ts';
import '../../service/src/programs/wiring/open-worker.ts';
import { madeStatements } from '../../service/src/platform/database/statement.ts';
import { seedPayments } from '../../tools/bench/seed/seed-payments.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';

const rows = 6_000;
// A whole table or index of so many rows is hundreds of pages.
const maxBuffers = 40;

const later = `now() + interval '1 day' + random() * interval '9 days'`;

// One asks for twenty kinds of work in two environments, the other for each account of each tenant.
const shares: Readonly<Record<string, number>> = {
  work_next_due: 5,
  stuck_work_list: 4,
  ledger_tenants_to_snapshot: 2,
  money_day_tenants: 2,
};

let service: TestService;
let client: pg.Client;

const fill = (merchantId: string): readonly string[] => [
  `update payment_request set status = 'OPEN', live_attempt_count = 0,
     expires_at = now() + interval '1 day' + random() * interval '9 days'`,
  `update attempt set status = 'AWAITING_AUTHORIZATION', step = 'AT_BANK', method = 'PAY_BY_BANK',
     capture_type = null, initiator = null, account_key = null,
     authorise_by = now() + random() * interval '9 days'
       + interval '1 day' where abs(hashtext(attempt_id::text)) % 3 = 0`,
  `insert into attempt_poll (merchant_id, environment, attempt_id, payment_request_id, method,
     institution_id, poll_business_at, poll_at, watch_from)
   select merchant_id, environment, attempt_id, payment_request_id, method, institution_id, at, at, at
   from (select *, now() + random() * interval '9 days' + interval '1 day' as at from attempt
     where abs(hashtext(attempt_id::text)) % 3 = 1) a`,
  `update attempt set status = 'PENDING', step = 'SUBMITTED'
     where abs(hashtext(attempt_id::text)) % 3 = 1`,
  `update attempt set status = 'AUTHORIZED', step = 'AUTHORISED', method = 'CARD',
     capture_type = 'CAPTURE_BEFORE_EXPIRY', initiator = 'CUSTOMER', account_key = 'simulated',
     capture_at = now() + random() * interval '9 days' + interval '1 day'
     where abs(hashtext(attempt_id::text)) % 3 = 2`,
  `insert into card_detachment (merchant_id, environment, reference_id, customer_id, account_key,
     reference_encrypted, reason, due_at)
   select '${merchantId}', 'SANDBOX', gen_random_uuid(), gen_random_uuid(), 'key', '\\x00',
     'CUSTOMER_DELETED', now() + i * interval '1 minute' + interval '1 day'
   from generate_series(1, ${rows}) i`,
  `insert into mail_outbox (merchant_id, environment, kind, dedupe_key, recipient, subject, body,
     created_at, due_at)
   select '${merchantId}', 'SANDBOX', 'kind', i, 'a@b.example', 's', 'b', now(),
     now() + i * interval '1 minute' + interval '1 day' from generate_series(1, ${rows}) i`,
  `insert into statement_mail (merchant_id, environment, emails, month, due_at)
   select gen_random_uuid(), 'SANDBOX', '{a@b.example}', '2026-01-01', ${later}
   from generate_series(1, ${rows}) i`,
  `insert into person_mail (kind, recipient, expires_at, due_at)
   select 'INVITE', i || '@b.example', now() + interval '9 days',
     now() + i * interval '1 minute' + interval '1 day' from generate_series(1, ${rows}) i`,
  `insert into person (person_id, name, email) select gen_random_uuid(), 'Ada', 'ada@b.example'`,
  `insert into person_session (session_id, person_id, token_sha256, expires_at)
   select gen_random_uuid(), person_id, sha256(i::text::bytea), ${later}
   from generate_series(1, ${rows}) i, person`,
  `insert into person_verification (verification_id, identifier, value, expires_at)
   select gen_random_uuid(), i, 'v', ${later} from generate_series(1, ${rows}) i`,
  `insert into receipt_mail (merchant_id, environment, attempt_id, position, payment_request_id,
     recipient_encrypted, subject, body_text, body_html, due_at)
   select '${merchantId}', 'SANDBOX', gen_random_uuid(), 1, gen_random_uuid(), '\\x00', 's', 't', 'h',
     now() + i * interval '1 minute' + interval '1 day' from generate_series(1, ${rows}) i`,
  `insert into idempotency (merchant_id, environment, operation, idempotency_key, body_sha256)
   select '${merchantId}', 'SANDBOX', 'op', i::text, sha256(i::text::bytea)
   from generate_series(1, ${rows}) i`,
  `insert into refund (merchant_id, environment, refund_id, payment_request_id, attempt_id,
     payment_idempotency_id, order_id, store_id, secret_id, method, status, step, amount_pence,
     paid_pence, due_at, created_at, updated_at)
   select '${merchantId}', 'SANDBOX', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), i, 'o',
     gen_random_uuid(), gen_random_uuid(), 'PAY_BY_BANK', 'PENDING',
     (array['WAITING', 'HANDED_OVER'])[1 + i % 2], 100, 100, ${later}, now(), now()
   from generate_series(1, ${rows}) i`,
  `insert into transfer_batch (merchant_id, environment, message_id, subject, execution_date, debtor,
     on_behalf_of, due_at, created_at)
   select '${merchantId}', 'SANDBOX', i, 'REFUND', now(), '{}', 'm', ${later}, now()
   from generate_series(1, ${rows}) i`,
  `insert into payout (merchant_id, environment, payout_id, status, reference, sort_code,
     account_number, account_name, period_ends_business_at, due_at, created_at, updated_at)
   select '${merchantId}', 'SANDBOX', gen_random_uuid(), 'PENDING', 'r', lpad(i::text, 6, '0'),
     '12345678', 'n', now(), ${later}, now(), now() from generate_series(1, ${rows}) i`,
  `insert into account_credit (environment, entry_key, amount_pence, is_returned, due_at)
   select 'SANDBOX', i, 100, false, ${later} from generate_series(1, ${rows}) i`,
  `insert into account_debit (environment, entry_key, amount_pence, end_to_end_id, due_at)
   select 'SANDBOX', i, 100, i, ${later} from generate_series(1, ${rows}) i`,
  `insert into bank_authorisation (merchant_id, environment, authorisation_id, status, redirect_url,
     callback_params, secret_id, institution_id, link_expires_at, due_at, leased_until, refresh_due_at,
     removal_due_at, forget_due_at, created_at, updated_at)
   select '${merchantId}', 'SANDBOX', gen_random_uuid(), 'LINKED', 'r', '{}', gen_random_uuid(), 'bank',
     now(), ${later}, case when i % 9 = 0 then ${later} end, ${later},
     case when i % 3 = 0 then ${later} end, ${later}, now(), now()
   from generate_series(1, ${rows}) i`,
  `insert into erasure (merchant_id, environment, customer_id, due_at, done_at)
   select '${merchantId}', 'SANDBOX', gen_random_uuid(), ${later}, case when i % 2 = 0 then now() end
   from generate_series(1, ${rows}) i`,
  `insert into operator_case (kind, subject, description, reported_at)
   select 'REFUND_OVERDUE', i, 'd', now() from generate_series(1, ${rows}) i`,
  `insert into card_charge_guard (merchant_id, environment, customer_id, order_id, amount_pence,
     payment_request_id, charged_at)
   select '${merchantId}', 'SANDBOX', gen_random_uuid(), i, 100, gen_random_uuid(), now()
   from generate_series(1, ${rows}) i`,
  `insert into work_lease (merchant_id, environment, subject_id, work, leased_until)
   select '${merchantId}', 'SANDBOX', gen_random_uuid(), 'POLL', ${later}
   from generate_series(1, ${rows}) i`,
  `insert into delivery (merchant_id, environment, endpoint_id, event_id, state, due_at,
     due_business_at, deadline_business_at, completed_at, created_at)
   select '${merchantId}', 'SANDBOX', ('00000000-0000-4000-8000-00000000000' || i % 2)::uuid,
     gen_random_uuid(), case when i % 2 = 0 then 'PENDING' else 'DELIVERED' end, ${later},
     ${later}, now() + interval '99 days', case when i % 2 = 1 then now() end, now()
   from generate_series(1, ${rows}) i`,
  `insert into webhook_endpoint_health (merchant_id, environment, endpoint_id, failing_since)
   select '${merchantId}', 'SANDBOX', ('00000000-0000-4000-8000-00000000000' || i)::uuid, now()
   from generate_series(0, 1) i`,
  `insert into ledger_entry (merchant_id, environment, transaction_id, account, amount_pence, reason,
     resource_id, occurred_at)
   select '${merchantId}', 'SANDBOX', gen_random_uuid(), 'MERCHANT_PAYABLE', 100, 'PAYMENT',
     gen_random_uuid(), now() from generate_series(1, 4 * ${rows}) i`,
  `insert into ledger_snapshot (merchant_id, environment, account, balance_pence, up_to_written_in,
     taken_at)
   select '${merchantId}', 'SANDBOX', 'MERCHANT_PAYABLE', 100 * ${rows}, '18446744073709551615',
     now() - interval '2 days'`,
  `insert into money_day_cursor (merchant_id, environment, counted_in)
   select '${merchantId}', 'SANDBOX', '9223372036854775807'`,
  `insert into webhook_hour (merchant_id, environment, endpoint_id, hour, attempts, delivered, took_ms,
     slowest_ms)
   select '${merchantId}', 'SANDBOX', gen_random_uuid(), now(), 1, 1, 1, 1
   from generate_series(1, ${rows}) i`,
];

const filled = [
  'payment_request',
  'attempt',
  'attempt_poll',
  'card_detachment',
  'mail_outbox',
  'receipt_mail',
  'statement_mail',
  'idempotency',
  'refund',
  'transfer_batch',
  'payout',
  'account_credit',
  'account_debit',
  'bank_authorisation',
  'erasure',
  'person_session',
  'person_verification',
  'operator_case',
  'card_charge_guard',
  'work_lease',
  'delivery',
  'webhook_endpoint_health',
  'ledger_entry',
  'ledger_snapshot',
  'money_day_cursor',
  'webhook_hour',
];

beforeAll(async () => {
  service = await openTestService();
  const { merchantId } = service.sandbox;
  const storeId = service.merchant.storeIds.SANDBOX;
  await seedPayments({ url: service.databaseUrl, merchantId, secretId: merchantId, storeId, rows });
  const owner = new pg.Client({
    connectionString: service.databaseUrl,
    options: '-c search_path=florin',
  });
  await owner.connect();
  // Rows without those that they refer to: only the scans are looked at.
  await owner.query('set session_replication_role = replica');
  for (const text of fill(merchantId)) await owner.query(text);
  for (const table of filled) await owner.query(`vacuum (analyze) ${table}`);
  await owner.end();
  client = new pg.Client({
    connectionString: service.databaseUrl,
    options: '-c role=florin_system -c search_path=florin -c enable_seqscan=off',
  });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await service.close();
});

const values: Record<string, string> = {
  limit: '200',
  from: "'7f0c7a3e-0000-4000-8000-000000000001'",
  leaseMs: '60000',
  retainedHours: '72',
  maxPerPartner: '20',
  partners: "'{}'",
  running: "'{}'",
  endpointIds: `'{${randomUUID()}}'`,
  slots: "'{20}'",
  afters: "'{-infinity}'",
  ignoresLeases: 'false',
  retentionDays: '30',
  inviteDays: '30',
  storedDays: '30',
  storedHours: '24',
  earlierByDays: '0',
  maxPerBank: '5',
  banks: "'{}'",
  minRows: '200',
  kind: 'null',
  size: '50',
  toStatus: "'MATCHED'",
  skipped: '0',
  after: "''",
  maxDays: '100',
  // Each account is a descent of its own in each partition.
  accounts: "'{MERCHANT_PAYABLE,FEES}'",
};

const buffersOf = async (name: string): Promise<number> => {
  const made = madeStatements().find((found) => found.name === name);
  if (!made) throw new Error(`no statement ${name}`);
  const text = replaceNames(made.sql, (value) => values[value] ?? `:${value}`);
  await client.query('begin');
  try {
    const explain = `explain (analyze, buffers, format json) ${text}`;
    const [row] = (await client.query(explain)).rows;
    const { Plan: plan } = row['QUERY PLAN'][0];
    return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
  } finally {
    await client.query('rollback');
  }
};

/** Statements of jobs across merchants that compare a time with now, and those that are due otherwise. */
const dueScans = madeStatements()
  .filter(({ readsWholeTables }) => !readsWholeTables)
  .filter(({ sql }) => !/:merchant_?ids?\b/i.test(sql))
  // A bank's notification names one payment.
  .filter(({ sql }) => !/:reference\b/.test(sql))
  .filter(({ sql }) => /_(at|until|from) <=? (statement_timestamp|now)\(\)/.test(sql))
  .map(({ name }) => name);

test.each([
  ...new Set([
    ...dueScans,
    'work_next_due',
    'failed_mail_list',
    'delivery_discover',
    'payment_due_operator_alerts',
    'ledger_tenants_to_snapshot',
    'transaction_count_loose',
  ]),
])('%s reads few pages while nothing is due', async (name) => {
  expect(await buffersOf(name)).toBeLessThan(maxBuffers * (shares[name] ?? 1));
});

test('due scans are found among the statements', () => {
  expect(dueScans).toEqual(
    expect.arrayContaining(['refund_claim_handed_over', 'erasure_prune', 'person_session_prune']),
  );
});
