import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { superuser } from '../../service/src/platform/embedded-postgres/create-cluster.ts';
import { cpuSeconds } from './cpu-seconds.ts';
import { type Product, startProduct } from './product.ts';
import { seedPayments } from './seed-payments.ts';

const openPayments = Number(process.argv[2] ?? 1_000_000);
const settleMs = 20_000;
const seconds = 60;
const maxShareOfCore = 0.02;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Open requests that expire later; a third is at a bank, a third is polled later. */
const open = [
  `update payment_request set status = 'OPEN', live_attempt_count = 0,
     expires_at = now() + interval '1 day' + random() * interval '9 days'`,
  `insert into attempt_poll (merchant_id, environment, attempt_id, payment_request_id, method,
     institution_id, poll_business_at, poll_at, watch_from)
   select merchant_id, environment, attempt_id, payment_request_id, method, institution_id, at, at, at
   from (select *, now() + random() * interval '9 days' + interval '1 day' as at from attempt
     where abs(hashtext(attempt_id::text)) % 3 = 1) a`,
  `update attempt set status = 'PENDING', step = 'SUBMITTED'
     where abs(hashtext(attempt_id::text)) % 3 = 1`,
  `update attempt set status = 'AWAITING_AUTHORIZATION', step = 'AT_BANK', method = 'PAY_BY_BANK',
     capture_type = null, initiator = null, account_key = null,
     authorise_by = now() + random() * interval '9 days' + interval '1 day'
     where abs(hashtext(attempt_id::text)) % 3 = 0`,
];

const seed = async ({ demo, socketFolder }: Product): Promise<void> => {
  const url = `postgresql://${superuser}@localhost/florin?host=${encodeURIComponent(socketFolder)}`;
  const client = new pg.Client({ connectionString: url, options: '-c search_path=florin' });
  await client.connect();
  const { merchantId } = demo;
  const { rows } = await client.query<{ store_id: string }>(
    `select store_id from store where merchant_id = $1 and environment = 'SANDBOX' limit 1`,
    [merchantId],
  );
  const storeId = rows[0]?.store_id ?? '';
  await seedPayments({ url, merchantId, secretId: merchantId, storeId, rows: openPayments });
  await client.query('set synchronous_commit = off');
  for (const text of open) await client.query(text);
  for (const table of ['payment_request', 'attempt', 'attempt_poll', 'transaction_count'])
    await client.query(`vacuum (analyze) ${table}`);
  await client.query('checkpoint');
  await client.end();
};

const product = await startProduct();
try {
  await seed(product);
  await sleep(settleMs);
  const used = () => [cpuSeconds(product.pid, false), cpuSeconds(product.databasePid, true)];
  const [service = 0, database = 0] = used();
  await sleep(seconds * 1_000);
  const [serviceAfter = 0, databaseAfter = 0] = used();
  const shares = [(serviceAfter - service) / seconds, (databaseAfter - database) / seconds];
  const [ofService = 0, ofDatabase = 0] = shares;
  say(
    `idle with ${openPayments} open payments over ${seconds} s: service ${(100 * ofService).toFixed(2)} %, ` +
      `database ${(100 * ofDatabase).toFixed(2)} % of a core (goal ${100 * maxShareOfCore} % together)`,
  );
  process.exitCode = ofService + ofDatabase <= maxShareOfCore ? 0 : 1;
} finally {
  await product.stop();
}
