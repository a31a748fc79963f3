import { afterEach, expect, inject, test } from 'vitest';
import { findPrimary } from '../../service/src/platform/database/find-primary.ts';
import { requireCurrentSchema } from '../../service/src/platform/database/migrate.ts';
import { simulatorFolder } from '../../service/src/programs/wiring/simulator-folder.ts';
import { openCuttingProxy } from '../harness/database/open-cutting-proxy.ts';
import { openTestServer } from '../harness/database/open-test-server.ts';
import { repeatable, startStandby } from '../harness/database/start-standby.ts';
import { alertAt } from '../harness/firing-alerts.ts';
import { compareBankBooks } from '../harness/invariants/compare-bank-books.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { lookInto } from '../harness/invariants/look-into.ts';
import { openSandbox } from '../harness/open-sandbox.ts';
import { openShops } from '../harness/open-shops.ts';
import { runCommand } from '../harness/programs/run-command.ts';
import { recordDrill } from '../harness/record-drill.ts';
import { waitUntil } from '../harness/wait-until.ts';

const patience = { withinMs: 60_000 };
/** "back in 15 s" is what docs/HIGH-AVAILABILITY.md says. */
const backWithinMs = 15_000;
/** What callers are asked to do. */
const repeatsForMs = 10_000;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Feed = {
  readonly data: readonly { readonly data: { readonly paymentRequestId: string } }[];
  readonly cursor: string;
};

const openServers = async () => {
  const primary = await openTestServer({ settings: repeatable });
  closers.push(primary.stop);
  const standby = await startStandby(primary.url);
  closers.push(standby.stop);
  await lookInto(primary.url, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '*'`);
    await client.query('select pg_reload_conf()');
  });
  const [toPrimary, toStandby] = await Promise.all([openCuttingProxy(), openCuttingProxy()]);
  closers.push(toPrimary.close, toStandby.close);
  const url = await toPrimary.connectThrough(primary.url);
  const other = await toStandby.connectThrough(standby.connectionString('postgres'));
  return {
    primary,
    standby,
    server: { url, template: primary.template, ofSimulators: inject('databaseServer') },
    /** Both: the standby stands first. */
    naming: (single: string) =>
      single.replace(new URL(url).host, (host) => `${new URL(other).host},${host}`),
    /** What the test itself looks at, and drops in the end. */
    leadToStandby: () => toPrimary.connectThrough(standby.connectionString('postgres')),
    leadToPrimary: () => toPrimary.connectThrough(primary.url),
  };
};

test('payments go on at a standby that is promoted by a command, and nothing is lost', async () => {
  const { primary, standby, server, ...ways } = await openServers();
  const promote = (url = ways.naming(server.url)) =>
    runCommand('promote-standby.ts', [], { ADMIN_DATABASE_URL: url });
  const whileReceiving = promote(standby.connectionString('postgres'));
  const sandbox = await openSandbox({}, async (url) => ways.naming(url), server);
  closers.push(sandbox.close, ways.leadToStandby);
  const { request, databaseUrl } = sandbox;
  const several = ways.naming(databaseUrl);
  expect((await whileReceiving).said).toContain('still receives from its primary');
  expect(await promote()).toMatchObject({
    code: 1,
    said: expect.stringContaining('takes writes: nothing was promoted'),
  });
  const shops = openShops(sandbox, repeatsForMs);
  await waitUntil(() => shops.paid.length > 6, patience);
  const readFeed = async (after: string): Promise<Feed> =>
    (await request('GET', `/api/webhook/events?limit=100${after}`)).body;
  const { cursor } = await readFeed('');

  process.kill(primary.pid(), 'SIGKILL');
  const before = shops.paid.length;
  const createdBefore = shops.created.length;
  const killedAtMs = performance.now();
  const promoted = await promote();
  const promotedInMs = performance.now() - killedAtMs;
  expect(promoted, promoted.said).toMatchObject({ code: 0 });
  await waitUntil(() => shops.paid.length > before, { ...patience, everyMs: 20 });
  const backInMs = performance.now() - killedAtMs;
  await waitUntil(() => shops.paid.length > before + 3, patience);
  await shops.stop();
  process.stdout.write(
    `promoted ${Math.round(promotedInMs)} ms after the kill, the first payment ${Math.round(backInMs)} ms; ` +
      `${shops.created.length} created, ${shops.paid.length} paid\n`,
  );
  expect(backInMs).toBeLessThan(backWithinMs);

  await shops.expectNothingLost();
  const alert = await alertAt(sandbox.url, 'FlorinEpochUnconfirmed');
  const { length: errors } = shops.errors;
  await recordDrill('standby promoted', {
    acknowledged: shops.created.length + shops.paid.length,
    ...{ lost: 0, errors, secondsToWell: backInMs / 1_000, alert },
  });
  expect(shops.errors).toEqual([]);
  // What was written after the promotion stands behind what a reader had read before.
  const later = shops.created.slice(createdBefore);
  const { data } = await readFeed(`&after=${cursor}`);
  expect(data.map((event) => event.data.paymentRequestId)).toEqual(
    expect.arrayContaining(shops.paid.filter((id) => later.includes(id))),
  );
  await ways.leadToStandby();
  await waitUntil(async () => {
    const outside = {
      databaseUrl,
      simulatorUrl: sandbox.simulator.url,
      trustFolder: `${simulatorFolder(sandbox.folder)}/trust`,
    };
    const wrong = [
      ...(await compareBankBooks(outside)),
      ...(await findBrokenInvariants(databaseUrl)),
    ];
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return true;
  }, patience);
  await expect(requireCurrentSchema(several)).rejects.toThrow('a standby was promoted (epoch 2');

  // The lost server is started again by mistake: it takes writes too, and gets none.
  await primary.startAgain();
  await ways.leadToPrimary();
  expect(await findPrimary(several)).toContain(new URL(several.replace(/,[^/]*/, '')).host);
}, 180_000);
