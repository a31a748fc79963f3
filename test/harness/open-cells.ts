import { spawn } from 'node:child_process';
import { inject } from 'vitest';
import { createMerchant } from '../../service/src/modules/merchants/index.ts';
import { openTestDatabase } from './database/open-test-database.ts';
import { openTestServer } from './database/open-test-server.ts';
import { repeatable } from './database/start-standby.ts';
import { lookInto } from './invariants/look-into.ts';
import { openOtherCell } from './open-other-cell.ts';
import { openSandbox, type Sandbox } from './open-sandbox.ts';
import { testBankAccounts } from './open-test-service.ts';
import { compileProgram } from './programs/compile-program.ts';
import { runCommand } from './programs/run-command.ts';

export type CellsUnderTest = Awaited<ReturnType<typeof openCells>>;

const leaving = { ...repeatable, wal_level: 'logical', max_wal_senders: '12' };
const arriving = {
  ...{ fsync: 'off', max_worker_processes: '16', max_logical_replication_workers: '8' },
  max_sync_workers_per_subscription: '4',
};

/** Two whole cells on two servers of PostgreSQL, with the same simulated banks. */
export const openCells = async () => {
  const closers: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  const [first, second] = await Promise.all([
    openTestServer({ settings: leaving }),
    openTestServer({ settings: arriving }),
  ]);
  closers.push(first.stop, second.stop);
  const server = { url: first.url, template: first.template };
  const sandbox = await openSandbox({}, undefined, {
    ...server,
    ofSimulators: inject('databaseServer'),
  });
  closers.push(sandbox.close);
  const database = await openTestDatabase({ url: second.url, template: second.template });
  closers.push(database.close);
  const settings = {
    ...{ FLORIN_DATA: sandbox.folder, DATABASE_URL: sandbox.databaseUrl },
    ...{ CELL_DATABASE_URL: sandbox.databaseUrl, OTHER_CELL_DATABASE_URL: database.url },
  };
  const operate = (words: readonly string[], changed = {}) =>
    runCommand('operate.ts', words, { ...settings, ...changed });
  const begun = await operate(['begin-cell']);
  if (begun.code !== 0) throw new Error(begun.said);
  const other = await openOtherCell(sandbox, database.url);
  closers.push(other.close);
  return {
    ...{ sandbox, other, otherUrl: database.url, operate, close },
    newShop: () => newShop(sandbox),
    killAt: (line: string, merchantId: string) =>
      killAt(line, ['move-merchant', merchantId, other.url], settings),
  };
};

/** A merchant that is paid directly, and its calls. */
const newShop = async (sandbox: Sandbox) => {
  const { merchantId, secrets } = await createMerchant(sandbox.tools, {
    businessName: 'Shop that moves',
    bankAccounts: testBankAccounts,
  });
  const { secret } = secrets.SANDBOX;
  const switched = await runCommand(
    'configure-merchant.ts',
    [merchantId, 'sandbox', 'switches', 'payoutsEnabled=false', 'refundsEnabled=false'],
    { FLORIN_DATA: sandbox.folder, DATABASE_URL: sandbox.databaseUrl },
  );
  if (switched.code !== 0) throw new Error(switched.said);
  const request: Sandbox['request'] = (method, path, sent = {}) =>
    sandbox.request(method, path, { secret, ...sent });
  return { ...sandbox, merchantId, secret, request };
};

/** The command as a process of its own, killed when it says what it does next; answers what it said. */
const killAt = async (
  line: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<string> => {
  const path = await compileProgram('service/src/programs/operate.ts');
  const child = spawn(process.execPath, [path, ...words], { env: { ...process.env, ...settings } });
  let said = '';
  return new Promise((resolve, reject) => {
    const listen = (bytes: Buffer): void => {
      said += bytes.toString();
      if (said.includes(line)) child.kill('SIGKILL');
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('close', (_, signal) =>
      signal === 'SIGKILL' ? resolve(said) : reject(new Error(`it was not killed: ${said}`)),
    );
  });
};

type RowCounts = { readonly own: number; readonly others: number };

/** By table: rows of these merchants, and of all others. */
export const countRows = (databaseUrl: string, merchantIds: readonly string[]) =>
  lookInto(databaseUrl, async (client) => {
    const { rows } = await client.query('select table_name from cell_tables()');
    const counts = new Map<string, RowCounts>();
    for (const { table_name } of rows) {
      const { rows: found } = await client.query(
        `select count(*) filter (where merchant_id = any($1))::int as own,
           count(*) filter (where merchant_id <> all($1))::int as others from ${table_name}`,
        [merchantIds],
      );
      counts.set(table_name, found[0]);
    }
    return counts;
  });

type Entry = { readonly transaction_id: string };

/** The ledger of a merchant, or of these transactions of it. */
export const readLedger = (
  databaseUrl: string,
  merchantId: string,
  transactionIds: readonly string[] | null = null,
) =>
  lookInto(databaseUrl, async (client) => {
    const { rows } = await client.query<Entry>(
      `select account, reason, amount_pence, transaction_id, written_in::text from ledger_entry
       where merchant_id = $1 and ($2::uuid[] is null or transaction_id = any($2))
       order by 1, 2, 3, 4`,
      [merchantId, transactionIds],
    );
    return rows;
  });

/** What a cell says of a merchant; null: nothing. */
export const readSide = (databaseUrl: string, merchantId: string) =>
  lookInto(databaseUrl, async (client) => {
    const { rows } = await client.query<{ status: string }>(
      'select status from cell_move where merchant_id = $1',
      [merchantId],
    );
    return rows[0]?.status ?? null;
  });
