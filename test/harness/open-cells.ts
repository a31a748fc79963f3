import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
import { findTestPort } from './programs/find-test-port.ts';
import { runCommand } from './programs/run-command.ts';

export type CellsUnderTest = Awaited<ReturnType<typeof openCells>>;

/** Each may lead to the other. */
const movable = {
  ...{ ...repeatable, wal_level: 'logical', max_wal_senders: '12' },
  ...{ max_worker_processes: '16', max_logical_replication_workers: '8' },
  max_sync_workers_per_subscription: '4',
};

/** Two whole cells on two servers of PostgreSQL, with the same simulated banks. */
export const openCells = async () => {
  const closers: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  const [first, second] = await Promise.all([
    openTestServer({ settings: movable }),
    openTestServer({ settings: movable }),
  ]);
  closers.push(first.stop, second.stop);
  const server = { url: first.url, template: first.template };
  const sandbox = await openSandbox({}, undefined, {
    ...server,
    ofSimulators: inject('databaseServer'),
  });
  closers.push(sandbox.close);
  const database = await openTestDatabase({ url: second.url, template: second.template });
  let isOtherGone = false;
  closers.push(() => isOtherGone || database.close());
  const settings = {
    ...{ FLORIN_DATA: sandbox.folder, DATABASE_URL: sandbox.databaseUrl },
    ...{ CELL_DATABASE_URL: sandbox.databaseUrl, OTHER_CELL_DATABASE_URL: database.url },
  };
  const backwards = {
    DATABASE_URL: database.url,
    ...{ CELL_DATABASE_URL: database.url, OTHER_CELL_DATABASE_URL: sandbox.databaseUrl },
  };
  const operate = (words: readonly string[], changed = {}) =>
    runCommand('operate.ts', words, { ...settings, ...changed });
  const port = await findTestPort();
  const begun = await operate(['begin-cell', sandbox.url, `http://127.0.0.1:${port}`]);
  if (begun.code !== 0) throw new Error(begun.said);
  const other = await openOtherCell(sandbox, database.url, port);
  closers.push(other.close);
  return {
    ...{ sandbox, other, otherUrl: database.url, operate, close },
    killOtherServer: () => {
      isOtherGone = true;
      process.kill(second.pid(), 'SIGQUIT');
    },
    newShop: () => newShop(sandbox),
    /** The same from the other side. */
    operateThere: (words: readonly string[]) => operate(words, backwards),
    killAt: async (line: string, merchantId: string, from: 'here' | 'there' = 'here') => {
      const given = from === 'here' ? settings : { ...settings, ...backwards };
      const command = await runUntil(line, ['move-merchant', merchantId], given);
      command.child.kill('SIGKILL');
      await command.ended;
      if (command.child.signalCode !== 'SIGKILL')
        throw new Error(`it was not killed: ${command.said()}`);
      return command.said();
    },
    /** Stops it at a line; answers what lets it go on to its end. */
    hangAt: async (line: string, merchantId: string) => {
      const { child, ended, said } = await runUntil(line, ['move-merchant', merchantId], settings);
      child.kill('SIGSTOP');
      return async () => {
        child.kill('SIGCONT');
        await ended;
        return said();
      };
    },
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
  const productionSecret = secrets.PRODUCTION.secret;
  return { ...sandbox, merchantId, secret, productionSecret, request };
};

/** The command as a process of its own, until it says what it does next. */
const runUntil = async (
  line: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
) => {
  const path = await compileProgram('service/src/programs/operate.ts');
  const child = spawn(process.execPath, [path, ...words], { env: { ...process.env, ...settings } });
  let said = '';
  const ended = once(child, 'close');
  await new Promise<void>((resolve, reject) => {
    const listen = (bytes: Buffer): void => {
      said += bytes.toString();
      if (said.includes(line)) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('close', () => reject(new Error(`it ended before: ${said}`)));
  });
  return { child, ended, said: () => said };
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
