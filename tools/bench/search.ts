import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createMerchant } from '../../service/src/modules/merchants/index.ts';
import { bankRails } from '../../service/src/modules/payments/index.ts';
import {
  countBeginnings,
  registerBeginnings,
} from '../../service/src/modules/payments/store/count-beginnings.ts';
import { readConfig } from '../../service/src/platform/config.ts';
import { migrate } from '../../service/src/platform/database/migrate.ts';
import { ensureDatabase } from '../../service/src/platform/embedded-postgres/ensure-database.ts';
import { startEmbeddedPostgres } from '../../service/src/platform/embedded-postgres/start-embedded-postgres.ts';
import { silentLog } from '../../service/src/platform/log.ts';
import { openApi } from '../../service/src/programs/open-api.ts';
import { openTools } from '../../service/src/programs/open-tools.ts';
import { noCardRails } from '../../test/harness/no-card-rails.ts';
import { seed } from './search-seed.ts';

// npm run bench search [rows]: seeds a database of its own, then asks the API over HTTP.
const rows = Number(process.argv[2] ?? 10_000_000);
const rounds = 200;
const goalMs = 40;
const account = { sortCode: '180002', accountNumber: '00000190', name: 'Bench' };

const folder = await mkdtemp(join(tmpdir(), 'florin-search-'));
const server = await startEmbeddedPostgres({
  folder,
  log: silentLog,
  settings: { fsync: 'off', full_page_writes: 'off', max_wal_size: '8GB' },
});
const url = server.connectionString('florin');
await ensureDatabase(server.connectionString('postgres'), 'florin');
await migrate(url);
const config = readConfig({ FLORIN_DATA: folder, LOG_LEVEL: 'silent' });
const tools = await openTools(config, url, 'bench');
const none = { SANDBOX: null, PRODUCTION: null };
const rails = {
  bankRails: bankRails(none, { SANDBOX: '-', PRODUCTION: '-' }),
  cardRails: noCardRails,
  payerRail: null,
  worldRail: { advance: async () => undefined },
};
const api = await openApi(tools, rails, 'http://127.0.0.1');
const merchant = await createMerchant(tools, {
  businessName: 'Bench',
  bankAccounts: { SANDBOX: account, PRODUCTION: account },
});

type Known = { readonly id: string; readonly customer: string; readonly store: string };

const seeded = async (): Promise<Known> => {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=florin' });
  await client.connect();
  const { merchantId } = merchant;
  const found = await client.query<{ store_id: string }>(
    "select store_id from store where merchant_id = $1 and environment = 'SANDBOX'",
    [merchantId],
  );
  const storeId = found.rows[0]?.store_id ?? '';
  await seed({ url, merchantId, secretId: merchantId, storeId, rows });
  const some = await client.query<{ id: string; customer: string }>(
    `select payment_request_id as id, customer_id as customer from transaction_item
     where customer_id is not null limit 1`,
  );
  await client.end();
  const { id = '', customer = '' } = some.rows[0] ?? {};
  return { id, customer, store: storeId };
};

/** What the worker does as a merchant grows; nobody else is there, so nothing need settle. */
const countBeginningsAtOnce = async (): Promise<void> => {
  const leastItems = Math.min(30_000, Math.ceil(rows * 0.003));
  const limits = { leastItems, sampledOfDay: 200, settleMs: 0, slice: 10_000 };
  const startedAt = performance.now();
  const registered = await registerBeginnings(tools.database, limits);
  while ((await countBeginnings(tools.database, limits)) > 0);
  const seconds = (performance.now() - startedAt) / 1_000;
  process.stdout.write(`${registered} beginnings counted in ${seconds.toFixed(0)} s\n`);
};

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

const questions = ({
  id,
  customer,
  store,
}: Known): readonly (readonly [string, number, object])[] => [
  ['page 0', 0, {}],
  ['middle page', Math.floor(rows / 40), {}],
  ['last page', Math.ceil(rows / 20) - 1, {}],
  ['one day', 0, { fromDate: dayBefore(300), toDate: dayBefore(300) }],
  ['a year', 0, { fromDate: dayBefore(400), toDate: dayBefore(35) }],
  ['status FAILED', 0, { status: ['FAILED'] }],
  ['status PENDING (20 rows)', 0, { status: ['PENDING'] }],
  ['status, two, deep', Math.floor(rows / 800), { status: ['FAILED', 'CANCELLED'] }],
  ['paymentMethod CARD', 0, { paymentMethod: ['CARD'] }],
  ['storeIds', 0, { storeIds: [store] }],
  ['atoaCustomerIds', 0, { atoaCustomerIds: [customer] }],
  ['text: order id', 0, { search: `ord-${Math.floor(rows / 2)}` }],
  ['text: payment request id', 0, { search: id }],
  ['text: beginning of the id', 0, { search: id.slice(0, 8) }],
  ['text: amount', 0, { search: '12.50' }],
  ['text: full name', 0, { search: 'grace name4711' }],
  ['text: rare name', 0, { search: 'name4711' }],
  ['text: common name (1 %)', 0, { search: 'smith' }],
  ['text: common name, page 100', 100, { search: 'smith' }],
  ['text: first name and PENDING', 0, { search: 'ada', status: ['PENDING'] }],
  [
    'text: all of them, one day',
    0,
    { search: 'ord', fromDate: dayBefore(9), toDate: dayBefore(9) },
  ],
  ['text: all of them, last page', Math.ceil(rows / 20) - 1, { search: 'ord' }],
  ['text: common name and FAILED', 0, { search: 'smith', status: ['FAILED'] }],
  ['text: two common names', 0, { search: 'ada smith' }],
  ['text: first name (6 %)', 0, { search: 'ada' }],
  ['text: all of them', 0, { search: 'ord' }],
];

const measure = async (address: string, page: number, body: object) => {
  const latenciesMs: number[] = [];
  let total = 0;
  const startedAt = performance.now();
  for (let round = 0; round < rounds && performance.now() - startedAt < 20_000; round += 1) {
    const sentAt = performance.now();
    const reply = await fetch(`${address}/api/payments/transactions?page=${page}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${merchant.secrets.SANDBOX.secret}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    const answer = (await reply.json()) as { totalCount?: number };
    latenciesMs.push(performance.now() - sentAt);
    total = answer.totalCount ?? -1;
  }
  latenciesMs.sort((one, other) => one - other);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p95Ms: at(0.95), total };
};

try {
  const seededAt = performance.now();
  const known = await seeded();
  const seconds = (performance.now() - seededAt) / 1_000;
  process.stdout.write(`${rows} transactions seeded in ${seconds.toFixed(0)} s\n`);
  await countBeginningsAtOnce();
  const address = await api.app.listen({ port: 0, host: '127.0.0.1' });
  for (const [name, page, body] of questions(known)) {
    const { p50Ms, p95Ms, total } = await measure(address, page, body);
    const mark = p95Ms <= goalMs ? '' : `  above ${goalMs}`;
    process.stdout.write(
      `${name.padEnd(30)} p50 ${p50Ms.toFixed(1).padStart(7)}  p95 ${p95Ms.toFixed(1).padStart(7)} ms` +
        `  of ${total}${mark}\n`,
    );
  }
} finally {
  await api.close();
  await tools.database.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
