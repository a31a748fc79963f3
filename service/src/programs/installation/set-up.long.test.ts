import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeServerFolder } from '../../../../test/harness/database/make-server-folder.ts';
import { startTestPostgres } from '../../../../test/harness/database/start-test-postgres.ts';
import { discardFolder } from '../../../../test/harness/discard-folder.ts';
import { compileProgram } from '../../../../test/harness/programs/compile-program.ts';
import { requireCurrentSchema } from '../../platform/database/migrate.ts';
import { silentLog } from '../../platform/log.ts';

const killEveryMs = 40;

let server: Awaited<ReturnType<typeof startTestPostgres>>;
let serverFolder: string;
let program: string;
const folders: string[] = [];

beforeAll(async () => {
  program = await compileProgram('service/src/programs/set-up.ts');
  serverFolder = await makeServerFolder('florin-set-up-');
  server = await startTestPostgres({
    folder: serverFolder,
    settings: { fsync: 'off' },
    log: silentLog,
  });
  // Only who knows the password of its role gets in, so a file and its role must agree.
  const paths = await readdir(serverFolder, { recursive: true });
  const rules = join(serverFolder, paths.find((path) => basename(path) === 'pg_hba.conf') ?? '');
  const roles = 'local all florin_owner,florin_program scram-sha-256';
  await writeFile(rules, `${roles}\n${await readFile(rules, 'utf8')}`);
  await asAdmin('select pg_reload_conf()');
}, 120_000);
afterAll(async () => {
  await server.stop();
  await discardFolder(serverFolder);
  for (const folder of folders) await rm(folder, { recursive: true });
});

const asAdmin = async (...statements: readonly string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: server.connectionString('postgres') });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
};

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-set-up-'));
  folders.push(folder);
  return folder;
};

const start = (folder: string) => {
  const child: ChildProcess = spawn(
    process.execPath,
    [program, folder, 'https://pay.example.com'],
    {
      env: { PATH: process.env.PATH, ADMIN_DATABASE_URL: server.connectionString('postgres') },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => {
      said += text;
    });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, said }));
  return { child, ended };
};

const requireWorking = async (folder: string): Promise<void> => {
  const read = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim();
  await requireCurrentSchema(await read('owner-url'));
  await requireCurrentSchema(await read('database-url'));
  expect(Buffer.from(await read('master-key'), 'base64')).toHaveLength(32);
  expect(await read('florin.env')).toContain('PUBLIC_URL=https://pay.example.com');
  expect((await readdir(folder)).sort()).toEqual(
    ['database-url', 'florin.env', 'master-key', 'metrics-token', 'owner-url'].sort(),
  );
};

test('two that set up at once end with one installation', async () => {
  const folder = await newFolder();
  const both = await Promise.all([start(folder).ended, start(folder).ended]);
  expect(both.map(({ code, said }) => (code === 0 ? 'done' : said))).toEqual(['done', 'done']);
  const applied = both.map(({ said }) => Number(/^(\d+) migrations/.exec(said)?.[1]));
  expect(applied.filter((count) => count > 0)).toHaveLength(1);
  await requireWorking(folder);
}, 120_000);

test('one that is killed anywhere is finished by the next', async () => {
  await asAdmin(
    'drop database florin with (force)',
    'drop role florin_program, florin_owner, florin_tenant, florin_system',
  );
  const folder = await newFolder();
  let kills = 0;
  for (;;) {
    const { child, ended } = start(folder);
    const isOver = await Promise.race([ended, sleep(200 + kills * killEveryMs, null)]);
    if (isOver) {
      expect(isOver).toEqual({ code: 0, said: expect.stringContaining('migrations applied') });
      break;
    }
    child.kill('SIGKILL');
    await ended;
    kills += 1;
  }
  process.stdout.write(`set-up was killed ${kills} times\n`);
  expect(kills).toBeGreaterThan(3);
  expect((await start(folder).ended).said).toMatch(/^0 migrations applied/);
  // Drafts of those that were killed may lie there; they hold nothing that is in use.
  for (const name of await readdir(folder)) if (/\.\d+$/.test(name)) await rm(join(folder, name));
  await requireWorking(folder);
}, 180_000);
