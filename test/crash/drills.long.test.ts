import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alerts } from '../../tools/describe/alerts.ts';
import { firing, readSeries, type Series } from '../harness/firing-alerts.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { type DrillName, recordDrill } from '../harness/record-drill.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { openProxiedShops } from './open-proxied-shops.ts';
import { openRig, type Rig } from './open-rig.ts';

const patience = { withinMs: 180_000 };
const repeatsForMs = 10_000;

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ isDoubled: true, ownPostgres: {}, banksElsewhere: true });
}, 240_000);
afterAll(() => rig.close());

const look = async (api: keyof Rig['apiUrls']): Promise<readonly Series[]> =>
  readSeries(await (await fetch(`${rig.apiUrls[api]}/metrics`)).text());

const query = async (text: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: rig.databaseUrl });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
};

type Broken = {
  readonly alert: (typeof alerts)[number]['name'];
  readonly at?: keyof Rig['apiUrls'];
  readonly breakIt: () => Promise<unknown>;
  readonly mend: () => Promise<unknown>;
  /** Some errors cannot be hidden by ten seconds. */
  readonly mayFail?: true;
};

const stopped = (postgresMs: number): Broken => ({
  alert: 'FlorinDatabaseUnreachable',
  breakIt: async () => {
    await rig.kill('postgres');
    await sleep(postgresMs);
  },
  mend: () => rig.start('postgres'),
  mayFail: true,
});

const frozen: Broken = {
  alert: 'FlorinBankUnavailable',
  breakIt: async () => rig.signal('simulator', 'SIGSTOP'),
  mend: async () => rig.signal('simulator', 'SIGCONT'),
  mayFail: true,
};

const withoutWorkers = (ms: number): Broken => ({
  alert: 'FlorinWorkWaits',
  breakIt: async () => {
    await Promise.all([rig.kill('worker'), rig.kill('secondWorker')]);
    await sleep(ms);
    // What five minutes would do.
    await query(`update florin.attempt_poll set poll_at = now() - interval '10 minutes',
      watch_from = now() - interval '10 minutes'`);
  },
  mend: () => Promise.all([rig.start('worker'), rig.start('secondWorker')]),
});

/** For a program of JavaScript a machine with a wrong clock. */
const ahead = (ms: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(`
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...given) { given.length === 0 ? super(Real.now() + ${ms}) : super(...given); }
      static now() { return Real.now() + ${ms}; }
    };`)}`;

const skewed = (ms: number): Broken => ({
  alert: 'FlorinClockWrong',
  at: 'secondApi',
  breakIt: async () => {
    await rig.stop('secondApi');
    await rig.start('secondApi', { NODE_OPTIONS: ahead(ms) });
    await waitUntil(async () => rig.balancer?.ready() === 2, patience);
    await sleep(5_000);
  },
  mend: async () => {
    await rig.stop('secondApi');
    await rig.start('secondApi');
  },
});

const drills: readonly (readonly [DrillName, Broken])[] = [
  ['PostgreSQL stopped for 30 s', stopped(30_000)],
  ['all workers dead for 20 s', withoutWorkers(20_000)],
  ['banks and card processor frozen', frozen],
  ['clock of one API ten minutes ahead', skewed(600_000)],
];

test.each(drills)(
  '%s: nothing acknowledged is lost, and its alert fires',
  async (name, broken) => {
    const { at = 'api', mayFail } = broken;
    const alert = alerts.find((each) => each.name === broken.alert) as (typeof alerts)[number];
    await waitUntil(async () => rig.balancer?.ready() === 2, patience);
    const before = await look(at);
    const shops = openProxiedShops(rig, { repeatsForMs });
    await shops.goOn();
    try {
      await broken.breakIt();
      await waitUntil(async () => firing(alert, await look(at), before).length > 0, patience);
    } finally {
      await broken.mend();
    }
    const mendedAtMs = performance.now();
    await shops.goOn();
    const secondsToWell = (performance.now() - mendedAtMs) / 1_000;
    await waitUntil(async () => rig.balancer?.ready() === 2, patience);
    await shops.stop();

    const [found] = await query(`
    select (select count(*)::int from florin.payment_request
        where payment_request_id = any ('{${shops.requested}}')) as requested,
      (select count(*)::int from florin.attempt where status = 'COMPLETED'
        and payment_request_id = any ('{${shops.paid}}')) as paid`);
    const acknowledged = shops.requested.length + shops.paid.length;
    const lost = acknowledged - Number(found?.requested) - Number(found?.paid);
    const { length: errors } = shops.errors;
    await recordDrill(name, { acknowledged, lost, errors, secondsToWell, alert: alert.name });
    expect(lost).toBe(0);
    if (!mayFail) expect(shops.errors).toEqual([]);
    await waitUntil(async () => {
      const wrong = await findBrokenInvariants(rig.databaseUrl, {});
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
      return true;
    }, patience);
  },
  400_000,
);
