import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmod, chown, mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrate } from '../../service/src/platform/database/migrate.ts';
import { ensureDatabase } from '../../service/src/platform/embedded-postgres/create-cluster.ts';
import { metrics } from '../../service/src/platform/metrics.ts';
import { simulatorFolder } from '../../service/src/programs/wiring/simulator-folder.ts';
import { makeServerFolder } from '../harness/database/make-server-folder.ts';
import { withDatabase } from '../harness/database/with-database.ts';
import { discardFolder } from '../harness/discard-folder.ts';
import { findInstalled } from '../harness/find-installed.ts';
import { compareBankBooks } from '../harness/invariants/compare-bank-books.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { openSandbox, type Sandbox } from '../harness/open-sandbox.ts';
import { openShops } from '../harness/open-shops.ts';
import { findTestPort } from '../harness/programs/find-test-port.ts';
import { recordDrill } from '../harness/record-drill.ts';
import { waitUntil } from '../harness/wait-until.ts';

const patience = { withinMs: 90_000, everyMs: 200 };
/** docs/HIGH-AVAILABILITY.md says so. */
const backWithinMs = 15_000;
const shipped = fileURLToPath(new URL('../../deploy/high-availability/', import.meta.url));
const nodes = ['db1', 'db2', 'db3'];
const password = 'only-of-this-test';

const postgres = '/usr/lib/postgresql/15/bin/postgres';
const programs = findInstalled('Patroni', {
  packages: {
    ...{ patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' },
    [postgres]: 'postgresql-15',
  },
  needsRoot: true,
});

/** Three machines are three addresses of this one, with the ports of the shipped files. */
const network = `127.${randomInt(1, 250)}.${randomInt(250)}.`;
const addressOf = (node: string): string => `${network}1${node.slice(2)}`;

let folder: string;
let adminUrl: string;
let readUrlOf: (url: string) => string;
let sandbox: Sandbox;
let server: { readonly uid: number; readonly gid: number };
const running = new Map<string, ChildProcess>();

const shippedText = async (name: string): Promise<string> => readFile(join(shipped, name), 'utf8');

/** As an operator would write the file of this server. */
const settingsOf = async (node: string, name: string): Promise<Record<string, string>> => {
  const lines = (await shippedText(name)).split('\n').filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const [key = '', ...rest] = line.split('=');
      const value = rest
        .join('=')
        .replace(/<.*>/, password)
        .replace('/var/lib/etcd', `${folder}/${node}`);
      const own =
        key === 'ETCD_INITIAL_CLUSTER' ? value : value.replace('10.0.0.11', addressOf(node));
      return [key, (key.endsWith('_NAME') ? node : own).replaceAll('10.0.0.', network)];
    }),
  );
};

const start = async (
  name: string,
  program: 'patroni' | 'etcd' | 'haproxy',
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const log = await open(join(folder, `${name}.log`), 'a');
  const child = spawn(programs?.[program] ?? '', words, {
    stdio: ['ignore', log.fd, log.fd],
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...env },
    ...(program === 'haproxy' ? {} : server),
  });
  await log.close();
  running.set(name, child);
};

const startEtcd = async (node: string): Promise<void> =>
  start(`etcd-${node}`, 'etcd', [], await settingsOf(node, 'etcd'));

const startPatroni = async (node: string): Promise<void> => {
  const text = (await shippedText('patroni.yml'))
    .replace('/var/lib/postgresql/15/florin', `${folder}/${node}/data`)
    .replace('/var/lib/postgresql/florin.pgpass', `${folder}/${node}/pgpass`)
    .replace('/var/run/postgresql', `${folder}/${node}`)
    // Between addresses of this machine the connection comes from 127.0.0.1.
    .replaceAll('10.0.0.0/24', '127.0.0.0/8')
    .replaceAll('10.0.0.', network);
  const path = join(folder, `${node}.yml`);
  await writeFile(path, text);
  await start(`patroni-${node}`, 'patroni', [path], await settingsOf(node, 'patroni_env.conf'));
};

const startHaproxy = async (): Promise<void> => {
  const [port, readPort] = [await findTestPort(), await findTestPort()];
  const text = (await shippedText('haproxy.cfg'))
    .replaceAll('127.0.0.1:5000', `127.0.0.1:${port}`)
    .replaceAll('127.0.0.1:5001', `127.0.0.1:${readPort}`)
    .replaceAll('10.0.0.', network);
  const path = join(folder, 'haproxy.cfg');
  await writeFile(path, text);
  await start('haproxy', 'haproxy', ['-db', '-f', path]);
  adminUrl = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  readUrlOf = (url) => url.replace(`:${port}/`, `:${readPort}/`);
};

const kill = async (name: string): Promise<void> => {
  const child = running.get(name);
  running.delete(name);
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

const killPostgres = async (node: string): Promise<void> => {
  const pidFile = join(folder, node, 'data', 'postmaster.pid');
  const text = await readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  if (pid > 0)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
};

type Member = { readonly name: string; readonly role: string; readonly state: string };

/** What Patroni says of the cluster, once all three work and one standby is waited for. */
const wholeCluster = (): Promise<readonly Member[]> =>
  waitUntil(async () => {
    const reply = await fetch(`http://${addressOf('db3')}:8008/cluster`);
    const { members } = (await reply.json()) as { readonly members: readonly Member[] };
    const works = members.filter(({ state }) => state === 'running' || state === 'streaming');
    const has = (role: string) => works.some((member) => member.role === role);
    if (works.length === 3 && has('leader') && has('sync_standby')) return members;
    throw new Error(JSON.stringify(members));
  }, patience);

const leaderOf = (members: readonly Member[]): string =>
  members.find(({ role }) => role === 'leader')?.name ?? '';

beforeAll(async () => {
  if (!programs) return;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  server = { uid: id('-u'), gid: id('-g') };
  folder = await makeServerFolder('florin-patroni-');
  await chmod(folder, 0o755);
  for (const node of nodes) {
    await mkdir(join(folder, node), { mode: 0o700 });
    await chown(join(folder, node), server.uid, server.gid);
  }
  for (const node of nodes) await startEtcd(node);
  for (const node of nodes) await startPatroni(node);
  await startHaproxy();
  await wholeCluster();
  const template = 'florin_template';
  await waitUntil(() => ensureDatabase(adminUrl, template).then(() => true), patience);
  await migrate(withDatabase(adminUrl, template));
  const ofSimulators = inject('databaseServer');
  sandbox = await openSandbox((url) => ({ DATABASE_READ_URL: readUrlOf(url) }), undefined, {
    ...{ url: adminUrl, template, ofSimulators },
  });
}, 300_000);
afterAll(async () => {
  if (!programs) return;
  await sandbox?.close();
  for (const name of running.keys()) await kill(name);
  for (const node of nodes) await killPostgres(node);
  await discardFolder(folder);
});

const everythingOf = async (node: string): Promise<void> => {
  await Promise.all([kill(`patroni-${node}`), killPostgres(node), kill(`etcd-${node}`)]);
};

if (programs)
  test('Patroni replaces a killed PostgreSQL and a lost machine, and nothing is lost', async () => {
    const shops = openShops(sandbox);
    const losing = async (what: string, lose: (leader: string) => Promise<void>) => {
      const leader = leaderOf(await wholeCluster());
      const enough = shops.paid.length + 10;
      await waitUntil(() => shops.paid.length > enough, patience);
      const lostAtMs = performance.now();
      await lose(leader);
      const before = shops.paid.length;
      await waitUntil(() => shops.paid.length > before + 1, { ...patience, everyMs: 20 });
      const backInMs = Math.round(performance.now() - lostAtMs);
      process.stdout.write(`${what}: the next payment ${backInMs} ms later\n`);
      expect(backInMs, what).toBeLessThan(backWithinMs);
      return { leader, backInMs };
    };
    const first = await losing('PostgreSQL killed', killPostgres);
    const second = await losing('PostgreSQL, Patroni and etcd of a machine killed', everythingOf);
    const lost = second.leader;
    await startEtcd(lost);
    await startPatroni(lost);
    expect(leaderOf(await wholeCluster())).not.toBe(lost);
    await shops.stop();
    process.stdout.write(`${shops.created.length} created, ${shops.paid.length} paid\n`);
    await shops.expectNothingLost();
    await recordDrill('PostgreSQL killed, then a machine, under Patroni', {
      acknowledged: shops.created.length + shops.paid.length,
      lost: 0,
      errors: null,
      secondsToWell: Math.max(first.backInMs, second.backInMs) / 1_000,
      alert: null,
    });
    // A standby behind HAProxy lists them, too.
    await waitUntil(async () => {
      const before = metrics.text();
      const found = await sandbox.request('POST', '/api/payments/transactions', { body: {} });
      expect(found.body.totalCount).toBeGreaterThanOrEqual(shops.paid.length);
      const reads = /^florin_replica_reads_total \d+$/m;
      return reads.exec(metrics.text())?.[0] !== reads.exec(before)?.[0];
    }, patience);
    const { databaseUrl, simulator } = sandbox;
    const trustFolder = join(simulatorFolder(sandbox.folder), 'trust');
    await waitUntil(async () => {
      const wrong = [
        ...(await compareBankBooks({ databaseUrl, simulatorUrl: simulator.url, trustFolder })),
        ...(await findBrokenInvariants(databaseUrl)),
      ];
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
      return true;
    }, patience);
  }, 400_000);
