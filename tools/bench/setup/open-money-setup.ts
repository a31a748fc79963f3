import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createMerchant } from '../../../service/src/modules/merchants/index.ts';
import { readConfig } from '../../../service/src/platform/config.ts';
import { ensureDatabase } from '../../../service/src/platform/embedded-postgres/create-cluster.ts';
import { startEmbeddedPostgres } from '../../../service/src/platform/embedded-postgres/start-embedded-postgres.ts';
import { silentLog } from '../../../service/src/platform/log.ts';
import { openTools } from '../../../service/src/programs/wiring/open-tools.ts';
import { openPayer } from '../../../test/harness/open-payer.ts';
import { cpuSeconds } from './cpu-seconds.ts';
import { startProduct } from './product.ts';

const account = { sortCode: '180002', accountNumber: '00000190', name: 'Bench' };
const payersAtOnce = 12;
const cardNumber = '4242424242424242';

/** A completed payment, and the secret of its merchant. */
export type Paid = { readonly secret: string; readonly paymentRequestId: string };

export type MoneySetup = Awaited<ReturnType<typeof openMoneySetup>>;

/** The product on a database server of its own; the simulated banks and cards have another. */
export const openMoneySetup = async (withStatements = false) => {
  const settings: Readonly<Record<string, string>> = withStatements
    ? { shared_preload_libraries: 'pg_stat_statements' }
    : {};
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'florin-bench-'))));
  const [server, simulators] = await Promise.all(
    folders.map((folder) => startEmbeddedPostgres({ folder, settings, log: silentLog })),
  );
  if (!server || !simulators) throw new Error('there is no database server');
  await ensureDatabase(server.connectionString('postgres'), 'florin');
  await ensureDatabase(simulators.connectionString('postgres'), 'florin_simulator');
  const databaseUrl = server.connectionString('florin');
  const product = await startProduct(
    {
      DATABASE_URL: databaseUrl,
      SIMULATOR_DATABASE_URL: simulators.connectionString('florin_simulator'),
    },
    server,
  );
  const database = new pg.Client({
    connectionString: databaseUrl,
    options: '-c search_path=florin',
  });
  await database.connect();
  if (withStatements) await database.query('create extension pg_stat_statements schema florin');
  const call = callOf(product.port);
  return {
    product,
    call,
    cpu: (): Cpu => ({
      service: cpuSeconds(product.pid, false),
      database: cpuSeconds(server.pid, true),
    }),
    pay: payOf(call, product.port),
    /** Their sandbox secrets. */
    addMerchants: (count: number) => addMerchants(product.folder, databaseUrl, count),
    /** PostgreSQL does so within the first minute of a new table; until then its plans are guesses. */
    analyze: () => database.query('analyze'),
    forgetStatements: () => withStatements && database.query('select pg_stat_statements_reset()'),
    /** The costliest since they were forgotten, for each of so many. */
    statementsOfEach: async (count: number): Promise<readonly string[]> => {
      if (!withStatements) return [];
      const { rows } = await database.query<{ calls: number; ms: number; query: string }>(
        `select calls::int, total_exec_time as ms, query from pg_stat_statements
         order by total_exec_time desc limit 25`,
      );
      return rows.map(
        ({ calls, ms, query }) =>
          `  ${(calls / count).toFixed(2).padStart(8)} calls ` +
          `${((ms / count) * 1e3).toFixed(0).padStart(6)} µs  ` +
          query.replace(/\s+/g, ' ').trim().slice(0, 110),
      );
    },
    until: async (text: string): Promise<void> => {
      for (;;) {
        const { rows } = await database.query<{ is_so: boolean }>(`select ${text} as is_so`);
        if (rows[0]?.is_so) return;
        await sleep(50);
      }
    },
    close: async () => {
      await database.end();
      await product.stop();
      await Promise.all([server.stop(), simulators.stop()]);
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
};

export type Cpu = { readonly service: number; readonly database: number };

/** Microseconds for each of so many. */
export const cpuOfEach = (before: Cpu, after: Cpu, count: number): Cpu => ({
  service: ((after.service - before.service) / count) * 1e6,
  database: ((after.database - before.database) / count) * 1e6,
});

type Call = <Reply>(secret: string, path: string, body: object) => Promise<Reply>;

const callOf =
  (port: number): Call =>
  async <Reply>(secret: string, path: string, body: object): Promise<Reply> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Reply;
  };

/** Payments from the request to the return of their payers, several at a time. */
const payOf =
  (call: Call, port: number) =>
  async (
    method: 'BANK' | 'CARD',
    secrets: readonly string[],
    amount: number,
  ): Promise<readonly Paid[]> => {
    const payer = openPayer(`http://127.0.0.1:${port}`);
    const paid: Paid[] = [];
    let started = 0;
    const lane = async () => {
      for (; started < secrets.length; ) {
        const secret = secrets[started] ?? '';
        started += 1;
        const body = { customerId: 'customer-1', orderId: `order-${started}`, amount };
        const { paymentRequestId } = await call<{ readonly paymentRequestId: string }>(
          secret,
          '/api/payments/process-payment',
          { ...body, expiresIn: 3_600_000, enableTips: false },
        );
        const driver = `/api/sandbox/payment-requests/${paymentRequestId}/pay`;
        if (method === 'CARD') await call(secret, driver, { method, cardNumber });
        else await payer.pay(paymentRequestId);
        paid.push({ secret, paymentRequestId });
      }
    };
    await Promise.all(Array.from({ length: payersAtOnce }, lane));
    return paid;
  };

export const addMerchants = async (
  folder: string,
  databaseUrl: string,
  count: number,
): Promise<readonly string[]> => {
  const config = readConfig({ FLORIN_DATA: folder, LOG_LEVEL: 'silent' });
  const tools = await openTools(config, databaseUrl, 'bench');
  const secrets: string[] = [];
  for (let each = 0; each < count; each += 1) {
    const merchant = await createMerchant(tools, {
      businessName: `Bench ${each}`,
      bankAccounts: { SANDBOX: account, PRODUCTION: account },
    });
    secrets.push(merchant.secrets.SANDBOX.secret);
  }
  await tools.database.close();
  return secrets;
};
