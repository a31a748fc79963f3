import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import {
  openPayments,
  type Payments,
} from '../../service/src/modules/payments/test/open-payments.ts';
import { metrics } from '../../service/src/platform/metrics.ts';
import { openObserver } from '../../service/src/programs/monitoring/observe.ts';
import { healthRoutes } from '../../service/src/programs/wiring/health-routes.ts';
import { type Alert, alerts } from '../../tools/describe/alerts.ts';
import { freezeProcesses } from '../harness/database/freeze-processes.ts';
import { openCuttingProxy } from '../harness/database/open-cutting-proxy.ts';
import { openTestServer } from '../harness/database/open-test-server.ts';
import { firing, readSeries } from '../harness/firing-alerts.ts';
import { type DrillName, recordDrill } from '../harness/record-drill.ts';
import { waitUntil } from '../harness/wait-until.ts';

const maxMs = 10_000;
const patience = { withinMs: 60_000 };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const open = async (
  options: Parameters<typeof openTestServer>[0] = {},
  connectThrough?: (databaseUrl: string) => Promise<string>,
) => {
  const server = await openTestServer(options);
  closers.push(server.stop);
  const payments = await openPayments({ server, ...(connectThrough && { connectThrough }) });
  closers.push(payments.close);
  healthRoutes(payments.app, payments.tools);
  return { server, payments };
};

const unavailable = {
  status: 503,
  headers: { 'retry-after': expect.anything() },
  body: { name: 'UNAVAILABLE' },
};

const isReady = async (payments: Payments): Promise<boolean> =>
  (await payments.request('GET', '/health/ready')).status === 200;

/** How long a reply took, with the reply. */
const timed = async <Reply>(reply: Promise<Reply>) => {
  const startedAt = performance.now();
  return { reply: await reply, ms: performance.now() - startedAt };
};

const alert = alerts.find(({ name }) => name === 'FlorinDatabaseTakesNoWrites') as Alert;

const expectAlert = async ({ tools }: Payments): Promise<void> => {
  await openObserver(tools)();
  expect(firing(alert, readSeries(metrics.text()), [])).not.toEqual([]);
};

/** Nothing acknowledged was lost, and the numbers of a program said what was wrong. */
const recordOutage = (name: DrillName, acknowledged: number, errors: number, wellAfterMs: number) =>
  recordDrill(name, {
    ...{ acknowledged, lost: 0, errors, secondsToWell: wellAfterMs / 1_000 },
    alert: alert.name,
  });

const atOnce = 20;

/** A hundred payments that callers were told of before it broke. */
const createMany = async (payments: Payments): Promise<readonly string[]> => {
  const ids: string[] = [];
  while (ids.length < 100)
    ids.push(...(await Promise.all(Array.from({ length: atOnce }, () => payments.created()))));
  return ids;
};

const expectThere = async (payments: Payments, ids: readonly string[]): Promise<void> => {
  for (const id of ids) expect((await payments.status(id)).status).toBe(200);
};

const countRequests = async (url: string): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    'select count(*)::int as requests from florin.payment_request',
  );
  await client.end();
  return rows[0].requests;
};

test('stopped processes of the server cost ten seconds at most, and nothing is lost or doubled', async () => {
  const { server, payments } = await open({ settings: { fsync: 'off' } });
  const ids = await createMany(payments);
  const [id = ''] = ids;
  expect(await isReady(payments)).toBe(true);
  const keys = ['frozen-1', 'frozen-2', 'frozen-3'];
  const createBy = (key: string) => payments.create({}, { headers: { 'idempotency-key': key } });
  const goOn = await freezeProcesses(server.pid());
  closers.push(goOn);
  const calls = [...keys.map(createBy), payments.status(id), payments.cancel(id)].map(timed);
  const ready = await timed(isReady(payments));
  expect(ready.reply).toBe(false);
  expect(ready.ms).toBeLessThan(4_000);
  for (const { reply, ms } of await Promise.all(calls)) {
    expect(reply).toMatchObject(unavailable);
    expect(ms).toBeLessThan(maxMs + 500);
  }
  await expectAlert(payments);
  goOn();
  const well = await timed(waitUntil(() => isReady(payments), patience));
  for (const key of keys)
    await waitUntil(async () => (await createBy(key)).status === 200, patience);
  await expectThere(payments, ids);
  const acknowledged = ids.length + keys.length;
  expect(await countRequests(payments.databaseUrl)).toBe(acknowledged);
  await recordOutage('PostgreSQL frozen', acknowledged, calls.length, well.ms);
}, 120_000);

/** As an operator names a primary and its standby, of which the second has vanished without a word. */
const withVanishedHost = async (databaseUrl: string): Promise<string> => {
  const [primary, vanished] = await Promise.all([openCuttingProxy(), openCuttingProxy()]);
  closers.push(primary.close, vanished.close);
  vanished.hold();
  const urls = await Promise.all(
    [primary, vanished].map((each) => each.connectThrough(databaseUrl)),
  );
  const [there = '', gone = ''] = urls;
  return there.replace(/127\.0\.0\.1:\d+/, (host) => `${new URL(gone).host},${host}`);
};

test('a synchronous standby that is gone costs ten seconds at most, with several hosts', async () => {
  const { server, payments } = await open({ settings: { fsync: 'off' } }, withVanishedHost);
  const ids = await createMany(payments);
  const [id = ''] = ids;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  closers.push(() => admin.end());
  const waitFor = async (names: string) => {
    await admin.query(`alter system set synchronous_standby_names = '${names}'`);
    await admin.query('select pg_reload_conf()');
  };
  await waitFor('gone');
  const keys = ['standby-1', 'standby-2'];
  const createBy = (key: string) => payments.create({}, { headers: { 'idempotency-key': key } });
  // Each round finds connections that the one before has lost, and asks again which host is the primary.
  for (let round = 0; round < 3; round += 1) {
    const calls = [...keys.map(createBy), payments.cancel(id)].map(timed);
    for (const { reply, ms } of await Promise.all(calls)) {
      expect(reply).toMatchObject(unavailable);
      expect(ms).toBeLessThan(maxMs + 500);
    }
  }
  expect(await isReady(payments)).toBe(false);
  await expectAlert(payments);
  await waitFor('');
  const well = await timed(waitUntil(() => isReady(payments), patience));
  for (const key of keys)
    await waitUntil(async () => (await createBy(key)).status === 200, patience);
  await expectThere(payments, ids);
  const acknowledged = ids.length + keys.length;
  expect(await countRequests(payments.databaseUrl)).toBe(acknowledged);
  await recordOutage('synchronous standby gone', acknowledged, 3 * 3, well.ms);
}, 180_000);

const isLinuxRoot = process.platform === 'linux' && process.getuid?.() === 0;

// A disk of its own can be mounted by root only.
if (isLinuxRoot)
  test('a disk that is full is 503, not 500; with space again everything acknowledged is there', async () => {
    const disk = await mkdtemp(join(tmpdir(), 'florin-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=500m,mode=0755', 'florin-test', disk]);
    closers.push(async () => {
      execFileSync('umount', [disk]);
      await rm(disk, { recursive: true });
    });
    const { server, payments } = await open({
      folder: join(disk, 'postgres'),
      settings: { max_wal_size: '64MB', min_wal_size: '32MB' },
    });
    const acknowledged = [...(await createMany(payments))];
    const ballast = join(disk, 'ballast');
    await fill(ballast);
    // Before any work has failed: an update of a row finds room in its page for a long time.
    await waitUntil(async () => !(await isReady(payments)));
    const statuses = new Set<number>();
    let refused = 0;
    await waitUntil(async () => {
      const { status, body } = await payments.create();
      statuses.add(status);
      if (status !== 200) refused += 1;
      if (status === 200) acknowledged.push(body.paymentRequestId);
      return status !== 200 && !(await isReady(payments));
    }, patience);
    expect([...statuses].sort()).toEqual([200, 503]);
    await expectAlert(payments);
    await rm(ballast);
    if (await server.hasEnded()) await server.startAgain();
    const well = await timed(waitUntil(() => isReady(payments), patience));
    expect((await payments.create()).status).toBe(200);
    await expectThere(payments, acknowledged);
    await recordOutage('disk of PostgreSQL full', acknowledged.length, refused, well.ms);
  }, 180_000);

const blockBytes = 1 << 20;

const fill = async (path: string): Promise<void> => {
  for (let size = blockBytes; size >= 1; size = Math.floor(size / 4))
    try {
      for (;;) await writeFile(path, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
};
