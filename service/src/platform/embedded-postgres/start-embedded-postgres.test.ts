import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { longTest } from '../../../../test/harness/long-test.ts';
import { silentLog } from '../log.ts';
import type { AccountKind } from './account.ts';
import { ensureDatabase } from './create-cluster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start-embedded-postgres.ts';

const isRoot = process.getuid?.() === 0;
const folders: string[] = [];
const servers: EmbeddedPostgres[] = [];

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'florin emb-'));
  folders.push(folder);
  return join(folder, 'postgres');
};

/** A cluster that an earlier test may have made: creating one costs a second of CPU. */
const anyCluster = async (): Promise<string> => {
  cluster ??= await newFolder();
  return cluster;
};
let cluster: string | undefined;

const start = async (folder: string, ...accountKinds: AccountKind[]): Promise<EmbeddedPostgres> => {
  const kinds = accountKinds.length > 0 ? accountKinds : undefined;
  const server = await startEmbeddedPostgres({ folder, log: silentLog, accountKinds: kinds });
  servers.push(server);
  return server;
};

const call = async (server: EmbeddedPostgres, text: string): Promise<unknown> => {
  const client = new pg.Client({ connectionString: server.connectionString('postgres') });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows[0]?.answer;
};

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

describe('startEmbeddedPostgres', () => {
  test('keeps the data from one start to the next', async () => {
    const folder = await anyCluster();
    const first = await start(folder);
    await call(first, "create table kept as select 'here' as answer");
    await first.stop();
    expect(await first.exited).toEqual({ code: 0, signal: null });
    const second = await start(folder);
    expect(await call(second, 'select answer from kept')).toBe('here');
  });

  test('is durable, compares text by code point and listens on its own socket', async () => {
    const server = await start(await anyCluster());
    const setting = (name: string) => call(server, `select current_setting('${name}') as answer`);
    expect(await setting('fsync')).toBe('on');
    expect(await setting('synchronous_commit')).toBe('on');
    expect(await setting('listen_addresses')).toBe('');
    expect(await call(server, "select 'Z' < 'a' as answer")).toBe(true);
    expect(Buffer.byteLength(`${server.socketFolder}/.s.PGSQL.5432`)).toBeLessThanOrEqual(107);
    expect((await stat(server.socketFolder)).mode & 0o077).toBe(0);
    await server.stop();
    await expect(stat(server.socketFolder)).rejects.toThrow('ENOENT');
  });

  test('rejects a second start on the same folder in one sentence', async () => {
    const folder = await anyCluster();
    const server = await start(folder);
    await expect(start(folder)).rejects.toThrow(
      `Florin already runs on ${await realpath(folder)}/data (database process ${server.pid})`,
    );
    expect(await call(server, 'select 1 as answer')).toBe(1);
  });

  longTest('allows one of two concurrent starts', async () => {
    const folder = await newFolder();
    const both = await Promise.allSettled([start(folder), start(folder)]);
    const refused = both.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(String(refused[0]?.reason)).toContain('Florin already runs on');
    expect((await readdir(folder)).sort()).toEqual(['data', 'socket']);
  });

  longTest('starts when the lock names an unrelated process', async () => {
    const folder = await anyCluster();
    await (await start(folder)).stop();
    await writeFile(join(folder, 'data', 'postmaster.pid'), `${process.pid}\n`);
    const server = await start(folder);
    expect(await call(server, 'select 1 as answer')).toBe(1);
  });

  longTest.runIf(isRoot)(
    'keeps the data elsewhere when the lent user cannot enter the folder',
    async () => {
      const home = await newFolder();
      await mkdir(home, { mode: 0o700 });
      const folder = join(home, 'florin', 'postgres');
      const first = await start(folder, 'setuid');
      const elsewhere = await realpath(join(folder, 'elsewhere'));
      folders.push(elsewhere);
      expect(elsewhere).toMatch(/^\/var\/lib\/florin\/postgres-/);
      await call(first, "create table kept as select 'here' as answer");
      await first.stop();
      const second = await start(folder, 'setuid');
      expect(await call(second, 'select answer from kept')).toBe('here');
    },
  );

  longTest.runIf(isRoot)('hands an earlier cluster over to the lent user when needed', async () => {
    const folder = await newFolder();
    await (await start(folder)).stop();
    await chmod(join(folder, '..'), 0o755);
    const lent = await start(folder, 'setuid');
    expect(await call(lent, 'select 1 as answer')).toBe(1);
  });
});

describe('ensureDatabase', () => {
  test('creates it once', async () => {
    const server = await start(await anyCluster());
    const url = server.connectionString('postgres');
    await Promise.all([1, 2, 3].map(() => ensureDatabase(url, 'Florin "quoted"')));
    const count = "select count(*)::int as answer from pg_database where datname like 'Florin%'";
    expect(await call(server, count)).toBe(1);
  });
});
