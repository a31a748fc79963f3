import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replaceNames } from '../../service/src/platform/database/sql.ts';
// Loads the stores of every job.
import '../../service/src/programs/wiring/open-worker.ts';
import { madeStatements } from '../../service/src/platform/database/statement.ts';
import { seedPayments } from '../../tools/bench/seed/seed-payments.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';

const rows = 6_000;
// A whole table or index of so many rows is hundreds of pages.
const maxBuffers = 40;

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
  `insert into receipt_mail (merchant_id, environment, attempt_id, position, payment_request_id,
     recipient_encrypted, subject, body_text, body_html, due_at)
   select '${merchantId}', 'SANDBOX', gen_random_uuid(), 1, gen_random_uuid(), '\\x00', 's', 't', 'h',
     now() + i * interval '1 minute' + interval '1 day' from generate_series(1, ${rows}) i`,
  `insert into idempotency (merchant_id, environment, operation, idempotency_key, body_sha256)
   select '${merchantId}', 'SANDBOX', 'op', i::text, sha256(i::text::bytea)
   from generate_series(1, ${rows}) i`,
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
  for (const text of fill(merchantId)) await owner.query(text);
  for (const table of [
    'payment_request',
    'attempt',
    'attempt_poll',
    'card_detachment',
    'mail_outbox',
  ])
    await owner.query(`vacuum (analyze) ${table}`);
  await owner.query('vacuum (analyze) receipt_mail');
  await owner.query('vacuum (analyze) idempotency');
  await owner.end();
  client = new pg.Client({
    connectionString: service.databaseUrl,
    options: '-c role=florin_system -c search_path=florin -c enable_seqscan=off',
  });
  await client.connect();
}, 120_000);

afterAll(async () => {
  await client.end();
  await service.close();
});

const values: Record<string, string> = {
  limit: '200',
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

test.each([
  'payment_due_requests',
  'payment_due_authorisations',
  'payment_due_operator_alerts',
  'payment_next_due',
  'payment_claim_polls',
  'payment_claim_card_polls',
  'payment_claim_captures',
  'card_claim_detachments',
  'mail_claim',
  'receipt_claim',
  'delivery_discover',
  'delivery_claim',
  'card_prune_detachments',
  'mail_prune',
])('%s reads few pages while nothing is due', async (name) => {
  expect(await buffersOf(name)).toBeLessThan(maxBuffers);
});
