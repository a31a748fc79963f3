import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { recordDrill } from '../harness/record-drill.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { openProxiedShops } from './open-proxied-shops.ts';
import { openRig, type Rig } from './open-rig.ts';

const patience = { withinMs: 120_000 };

let rig: Rig;
let client: pg.Client;

beforeAll(async () => {
  rig = await openRig({ isDoubled: true });
  client = new pg.Client({ connectionString: rig.databaseUrl });
  await client.connect();
}, 240_000);
afterAll(async () => {
  await client.end();
  await rig.close();
});

test('each program is restarted under load, and no caller and no payment notices', async () => {
  await waitUntil(async () => rig.balancer?.ready() === 2, patience);
  const shops = openProxiedShops(rig);
  for (const part of [
    ...(['api', 'secondApi', 'worker', 'secondWorker'] as const),
    ...(['secondWorker', 'secondApi', 'worker', 'api'] as const),
  ]) {
    await shops.goOn();
    expect(await rig.stop(part), part).toBe(0);
    await rig.start(part);
    await waitUntil(async () => rig.balancer?.ready() === 2, patience);
  }
  await shops.stop();
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
  await recordDrill('each program restarted in turn', drill);
}, 600_000);
