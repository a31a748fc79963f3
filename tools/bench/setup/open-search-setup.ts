import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { bankDataRails } from '../../../service/src/modules/bank-feed/index.ts';
import { createMerchant } from '../../../service/src/modules/merchants/index.ts';
import { bankRails } from '../../../service/src/modules/payments/index.ts';
import { transferRails } from '../../../service/src/modules/transfers/index.ts';
import { readConfig } from '../../../service/src/platform/config.ts';
import { migrate } from '../../../service/src/platform/database/migrate.ts';
import { ensureDatabase } from '../../../service/src/platform/embedded-postgres/create-cluster.ts';
import { startEmbeddedPostgres } from '../../../service/src/platform/embedded-postgres/start-embedded-postgres.ts';
import { silentLog } from '../../../service/src/platform/log.ts';
import { openApi } from '../../../service/src/programs/wiring/open-api.ts';
import { type OpenTools, openTools } from '../../../service/src/programs/wiring/open-tools.ts';
import { noCardRails } from '../../../test/harness/no-card-rails.ts';
import { seedPayments } from '../seed/seed-payments.ts';

const account = { sortCode: '180002', accountNumber: '00000190', name: 'Bench' };

/** What the searches need of the seed. */
export type Seeded = {
  readonly merchantId: string;
  readonly secret: string;
  readonly id: string;
  readonly customer: string;
  readonly store: string;
};

type SearchSetup = {
  readonly seeded: Seeded;
  readonly url: string;
  readonly tools: OpenTools;
  readonly listen: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** A database with so many transactions; with a folder they stay there and are found again. */
export const openSearchSetup = async (
  rows: number,
  existingFolder?: string,
): Promise<SearchSetup> => {
  const folder = existingFolder ?? (await mkdtemp(join(tmpdir(), 'florin-search-')));
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
  const note = join(folder, `seeded-${rows}.json`);
  const found = (await readNote(note)) ?? (await seedMerchant(tools, url, rows));
  await writeFile(note, JSON.stringify(found));
  const api = await openApi(tools, rails, 'http://127.0.0.1');
  return {
    seeded: found,
    url,
    tools,
    listen: () => api.app.listen({ port: 0, host: '127.0.0.1' }),
    close: async () => {
      await api.close();
      await tools.database.close();
      await server.stop();
      if (!existingFolder) await rm(folder, { recursive: true, force: true });
    },
  };
};

const none = { SANDBOX: null, PRODUCTION: null };
const rails = {
  bankRails: bankRails(none, { SANDBOX: '-', PRODUCTION: '-' }),
  bankDataRails: bankDataRails(
    { SANDBOX: () => [], PRODUCTION: () => [] },
    { SANDBOX: '-', PRODUCTION: '-' },
  ),
  cardRails: noCardRails,
  transferRails: transferRails(() => null, { SANDBOX: '-', PRODUCTION: '-' }),
  payerRail: null,
  simulatorRail: { advance: async () => undefined, forecast: async () => [] },
};

const readNote = async (note: string): Promise<Seeded | null> => {
  const text = await readFile(note, 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Seeded);
};

const seedMerchant = async (tools: OpenTools, url: string, rows: number): Promise<Seeded> => {
  const startedAt = performance.now();
  const { merchantId, secrets } = await createMerchant(tools, {
    businessName: 'Bench',
    bankAccounts: { SANDBOX: account, PRODUCTION: account },
  });
  const client = new pg.Client({ connectionString: url, options: '-c search_path=florin' });
  await client.connect();
  const found = await client.query<{ store_id: string }>(
    "select store_id from store where merchant_id = $1 and environment = 'SANDBOX'",
    [merchantId],
  );
  const store = found.rows[0]?.store_id ?? '';
  await seedPayments({ url, merchantId, secretId: merchantId, storeId: store, rows });
  const some = await client.query<{ id: string; customer: string }>(
    `select payment_request_id as id, customer_id as customer from transaction_item
     where customer_id is not null limit 1`,
  );
  await client.end();
  const { id = '', customer = '' } = some.rows[0] ?? {};
  const seconds = (performance.now() - startedAt) / 1_000;
  process.stdout.write(`${rows} transactions seeded in ${seconds.toFixed(0)} s\n`);
  return { merchantId, secret: secrets.SANDBOX.secret, id, customer, store };
};
