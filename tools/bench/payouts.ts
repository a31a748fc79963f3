import pg from 'pg';
import { openSearchSetup } from './setup/open-search-setup.ts';

// npm run bench payouts [payments] [folder]: seeds its own database, then calls the API over HTTP. With
// a folder the database is kept for the next run: ten million payments take long.
const rows = Number(process.argv[2] ?? 1_000_000);
const rounds = 120;
const goalMs = 40;

/** Two years of payouts, one each day, and a line for each payment by bank. */
const seedPayouts = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=florin' });
  await client.connect();
  const { rows: found } = await client.query('select from payout limit 1');
  if (found.length === 0) {
    await client.query("set session_replication_role = replica; set work_mem = '512MB'");
    await client.query(`insert into payout_line (merchant_id, environment, payout_id, entry_id,
        amount_pence, reason, resource_id, attempt_id, store_id, occurred_at)
      select a.merchant_id, a.environment, md5(a.merchant_id || a.created_at::date::text)::uuid,
        row_number() over (), a.amount_pence, 'PAYMENT_SETTLED', a.payment_request_id,
        a.attempt_id, a.payment_request_id, a.created_at
      from attempt a where a.status = 'COMPLETED' and a.method = 'PAY_BY_BANK'`);
    await client.query(`insert into payout (merchant_id, environment, payout_id, status, reference,
        sort_code, account_number, account_name, amount_pence, line_count,
        period_ends_business_at, created_at, updated_at)
      select merchant_id, environment, payout_id, 'SETTLED',
        'FPY' || upper(left(replace(payout_id::text, '-', ''), 11)), '180002', '00000190', 'Bench',
        sum(amount_pence), count(*), max(occurred_at), max(occurred_at), max(occurred_at)
      from payout_line group by 1, 2, 3`);
    for (const table of ['payout', 'payout_line']) await client.query(`vacuum (analyze) ${table}`);
  }
  await client.end();
};

type Request = readonly [name: string, path: string];

const measure = async (
  address: string,
  secret: string,
  [name, path]: Request,
): Promise<boolean> => {
  const latenciesMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const sentAt = performance.now();
    const reply = await fetch(`${address}${path}`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
    if (round >= 20) latenciesMs.push(performance.now() - sentAt);
  }
  latenciesMs.sort((one, other) => one - other);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0;
  const [p50, p95] = [at(0.5), at(0.95)];
  process.stdout.write(
    `${name.padEnd(34)} p50 ${p50.toFixed(1).padStart(6)} ms  p95 ${p95.toFixed(1).padStart(6)} ms\n`,
  );
  return p95 <= goalMs;
};

const startedAt = performance.now();
const setup = await openSearchSetup(rows, process.argv[3]);
await seedPayouts(setup.url);
process.stdout.write(
  `${rows} payments seeded in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`,
);
const address = await setup.listen();
const { secret } = setup.seeded;
const list = async (query: string) => {
  const reply = await fetch(`${address}/api/payouts?${query}`, {
    headers: { authorization: `Bearer ${secret}` },
  });
  return (await reply.json()) as {
    readonly totalCount: number;
    readonly data: readonly {
      readonly id: string;
      readonly reference: string;
      readonly amount: string;
    }[];
  };
};
const { data, totalCount } = await list('page=1&limit=20');
const [one] = data;
if (!one) throw new Error('there are no payouts');
const lines = `/api/payouts/${one.id}/transactions`;
const count = Math.floor(rows / 800);
const measured: readonly Request[] = [
  ['newest payouts', '/api/payouts'],
  ['oldest payouts', '/api/payouts?orderBy=ASC'],
  ['last page', `/api/payouts?page=${Math.ceil(totalCount / 20) - 1}`],
  ['status', '/api/payouts?status=SETTLED'],
  ['status that none has', '/api/payouts?status=FAILED'],
  ['a day', '/api/payouts?fromDate=2026-01-05&toDate=2026-01-05'],
  ['amount', `/api/payouts?search=${one.amount}`],
  ['beginning of a reference', `/api/payouts?search=${one.reference.slice(0, 7)}`],
  ['lines', lines],
  ['a hundred lines', `${lines}?limit=100`],
  [
    'a hundred lines, last page',
    `${lines}?limit=100&page=${Math.max(0, Math.floor(count / 100) - 1)}`,
  ],
];
let isFast = true;
for (const each of measured) isFast = (await measure(address, secret, each)) && isFast;
process.stdout.write(`goal p95 ${goalMs} ms: ${isFast ? 'reached' : 'missed'}\n`);
await setup.close();
