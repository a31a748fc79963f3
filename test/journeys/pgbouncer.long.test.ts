import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../service/src/platform/database/open-database.ts';
import { sql } from '../../service/src/platform/database/sql.ts';
import { statement } from '../../service/src/platform/database/statement.ts';
import { silentLog } from '../../service/src/platform/log.ts';
import { openCuttingProxy } from '../harness/database/open-cutting-proxy.ts';
import { openTestDatabase } from '../harness/database/open-test-database.ts';
import { discardFolder } from '../harness/discard-folder.ts';
import { findInstalled } from '../harness/find-installed.ts';
import { findTestPort } from '../harness/programs/find-test-port.ts';
import { spawnCommand } from '../harness/programs/spawn-command.ts';
import { waitUntil } from '../harness/wait-until.ts';

const closers: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

const program = 'pgbouncer';

const installed = findInstalled('PgBouncer', { packages: { [program]: 'pgbouncer' } });

let server: { readonly port: string; readonly database: string; readonly user: string };
beforeAll(async () => {
  const database = await openTestDatabase();
  closers.push(database.close);
  const proxy = await openCuttingProxy();
  closers.push(proxy.close);
  const { port, pathname, username } = new URL(await proxy.connectThrough(database.url));
  server = { port, database: pathname.slice(1), user: username };
});

/** As Debian installs it, before the test's database. Answers the address of the database behind it. */
const startPgBouncer = async (poolMode: string, more: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-pgbouncer-'));
  closers.push(() => discardFolder(folder));
  await chmod(folder, 0o777);
  const port = await findTestPort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
${server.database} = host=127.0.0.1 port=${server.port} user=${server.user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = 3
${more}
`,
  );
  const words = process.getuid?.() === 0 ? ['--user=nobody', file] : [file];
  const child: ChildProcess = spawn(program, words, { stdio: 'ignore' });
  closers.push(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  });
  const url = `postgresql://${server.user}@127.0.0.1:${port}/${server.database}`;
  await waitUntil(async () => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('select 1');
    await client.end();
    return true;
  });
  return url;
};

const one = statement<object, { readonly one: number }>('test_one', sql()`select 1 as one`);

const whyRefused = async (url: string): Promise<string> => {
  const settings = { tenantConnections: 2, systemConnections: 2, applicationName: 'test' };
  const database = openDatabase({ connectionString: url, ...settings }, silentLog);
  const said = await database.system(one, {}).then(
    () => 'not refused',
    (error: Error) => error.message,
  );
  await database.close();
  return said;
};

const ignoring = `ignore_startup_parameters = options,extra_float_digits`;

if (installed)
  test.each([
    ['session', '', 'unsupported startup parameter: options'],
    ['transaction', '', 'unsupported startup parameter: options'],
    ['statement', '', 'unsupported startup parameter: options'],
    ['session', ignoring, 'A pooler stands before PostgreSQL'],
    ['transaction', ignoring, 'A pooler stands before PostgreSQL'],
    ['statement', ignoring, 'A pooler stands before PostgreSQL'],
  ])('PgBouncer in the mode %s (%s) is refused: %s', async (mode, more, reason) => {
    const url = await startPgBouncer(mode, more);
    expect(await whyRefused(url)).toContain(reason);
    const key = Buffer.alloc(32, 5).toString('base64');
    const settings = { DATABASE_URL: url, FLORIN_MASTER_KEY: key, PORT: '0' };
    const { code, said } = await spawnCommand('api.ts', [], settings);
    expect([code, said]).toEqual([1, expect.stringContaining(reason)]);
  });
