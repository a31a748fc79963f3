import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  listMigrations,
  migrate,
  migrationsFolder,
} from '../../service/src/platform/database/migrate.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { compilePrevious, type PreviousRelease } from '../harness/programs/compile-previous.ts';
import { recordDrill } from '../harness/record-drill.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { openProxiedShops } from './open-proxied-shops.ts';
import { openRig, type Rig } from './open-rig.ts';

const patience = { withinMs: 120_000 };
const parts = ['api', 'worker', 'secondApi', 'secondWorker'] as const;
const programs = ['api', 'worker', 'migrate', 'operate'];

let previous: PreviousRelease;
let rig: Rig;
let client: pg.Client;
let folder: string;

beforeAll(async () => {
  previous = await compilePrevious(programs.map((name) => `service/src/programs/${name}.ts`));
  rig = await openRig({ isDoubled: true, previous });
  client = new pg.Client({ connectionString: rig.databaseUrl });
  await client.connect();
  folder = await mkdtemp(join(tmpdir(), 'florin-next-'));
  await cp(migrationsFolder, folder, { recursive: true });
}, 300_000);
afterAll(async () => {
  await client.end();
  await rig.close();
  await rm(folder, { recursive: true });
});

/** One after the other, behind the proxy. */
const restart = async (each: (typeof parts)[number]): Promise<void> => {
  expect(await rig.stop(each), each).toBe(0);
  await rig.start(each);
  await waitUntil(async () => rig.balancer?.ready() === 2, patience);
};

/** What a release may do to tables in use: columns with defaults, a table, an index that is built beside. */
const nextRelease = async (): Promise<void> => {
  const oldest = `-- oldest program: ${(await listMigrations()).at(-1)}\n`;
  const added = ['payment_request', 'attempt', 'event', 'delivery', 'merchant'].map(
    (table) => `alter table ${table} add column next_release text not null default 'none';\n`,
  );
  await writeFile(join(folder, '9001_next.sql'), `${oldest}${added.join('')}`);
  const index = 'create index concurrently next_attempts on attempt (next_release, created_at)';
  await writeFile(join(folder, '9002_next.concurrent.sql'), `${oldest}${index}`);
};

const migrateToNext = () =>
  migrate(rig.databaseUrl, {
    patience: { lockTimeoutMs: 5_000, maxTries: 20, pauseMs: 1_000 },
    folder: pathToFileURL(`${folder}/`),
  });

test('two releases serve one schema under load, upward and back, and no caller notices', async () => {
  await waitUntil(async () => rig.balancer?.ready() === 2, patience);
  const shops = openProxiedShops(rig);
  await shops.goOn();

  // The previous release serves while this one migrates, then both, then this one.
  await migrate(rig.databaseUrl);
  await shops.goOn();
  rig.upgrade();
  for (const part of parts) {
    await restart(part);
    await shops.goOn();
  }

  // Back: the programs alone.
  rig.downgrade();
  for (const part of ['secondApi', 'secondWorker'] as const) await restart(part);
  await shops.goOn();
  rig.upgrade();
  for (const part of ['secondApi', 'secondWorker'] as const) await restart(part);

  // The schema of the next release, which this one knows nothing of.
  await nextRelease();
  expect(await migrateToNext()).toEqual(['9001_next.sql', '9002_next.concurrent.sql']);
  await shops.goOn();
  for (const part of ['api', 'worker'] as const) await restart(part);
  await shops.goOn();

  // One that leaves this release behind: what runs goes on, but starts no more.
  await writeFile(join(folder, '9003_later.sql'), 'alter table merchant drop column next_release');
  expect(await migrateToNext()).toEqual(['9003_later.sql']);
  await shops.goOn();
  await shops.stop();
  expect(await rig.stop('secondWorker')).toBe(0);
  await expect(rig.start('secondWorker')).rejects.toThrow('ended before it was ready');

  expect(shops.errors).toEqual([]);
  const { rows } = await client.query(
    `select status, count(*)::int as attempts from florin.attempt group by status`,
  );
  expect(rows).toEqual([{ status: 'COMPLETED', attempts: shops.paid.length }]);
  await waitUntil(async () => {
    const wrong = await findBrokenInvariants(rig.databaseUrl, { isQuiet: true });
    if (wrong.length > 0) throw new Error(wrong.join('\n'));
    return true;
  }, patience);
  const { length: acknowledged } = shops.paid;
  const drill = { acknowledged, lost: 0, errors: 0, secondsToWell: 0, alert: null };
  await recordDrill('two releases on one schema', drill);
}, 600_000);
