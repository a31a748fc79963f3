import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareBankBooks } from '../harness/invariants/compare-bank-books.ts';
import { compareCardBooks } from '../harness/invariants/compare-card-books.ts';
import { compareCollectingAccount } from '../harness/invariants/compare-collecting-account.ts';
import { compareTransferBooks } from '../harness/invariants/compare-transfer-books.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { openReceiver } from '../harness/open-receiver.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { seededRandom } from '../simulation/seeded-random.ts';
import { type Acknowledged, openLoad } from './open-load.ts';
import { openRig, type Part, type Rig } from './open-rig.ts';
import { again, callApi, letTimePass } from './pay-persistently.ts';

// A program, PostgreSQL, or two of them at the same moment: each counts as a kill. KILL_SECONDS ends
// the rounds earlier. KILL_SEED, which is printed, repeats what is killed and when.
const kills = Number(process.env.KILLS ?? 60);
const maxMs = Number(process.env.KILL_SECONDS ?? 3_600) * 1_000;
const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31));
const random = seededRandom(seed);
const parts = ['api', 'worker', 'simulator', 'postgres'] as const satisfies readonly Part[];
type Killed = (typeof parts)[number];
const patience = { withinMs: 300_000, everyMs: 1_000 };

let rig: Rig;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let client: pg.Client;

beforeAll(async () => {
  [rig, receiver] = await Promise.all([
    openRig({ ownPostgres: {}, apiWorks: true }),
    openReceiver(),
  ]);
  for (const event of ['PAYMENTS_STATUS', 'REFUND_STATUS'])
    await callApi(rig, '/api/webhook/merchant', { url: receiver.url, event });
}, 180_000);
afterAll(async () => {
  await client?.end();
  await rig.close();
  await receiver.close();
});

const rows = async <Row extends object>(text: string): Promise<readonly Row[]> =>
  (await client.query<Row>(text)).rows;

/** One part, or two at the same moment; PostgreSQL comes back first. */
const killAndRestart = async (chosen: readonly Part[]): Promise<void> => {
  await Promise.all(chosen.map((part) => rig.kill(part)));
  if (chosen.includes('postgres')) await rig.start('postgres');
  await Promise.all(chosen.filter((part) => part !== 'postgres').map(startAgain));
  await again(() => callApi(rig, '/api/webhook/merchant'));
};

/** As a supervisor does: what is not ready in a minute is killed and started again. */
const startAgain = (part: Part): Promise<void> =>
  rig.start(part).catch(async (error: unknown) => {
    process.stdout.write(`${String(error)}: started again\n`);
    await rig.kill(part);
    await rig.start(part);
  });

const chooseParts = (): readonly Killed[] => {
  const [one, other] = [random.pick(parts), random.pick(parts)];
  return random.chance(0.3) && other !== one ? [one, other] : [one];
};

const expectOnce = async (acknowledged: readonly Acknowledged[]) => {
  const stored = await rows<{ order_id: string; ids: string[] }>(
    `select order_id, array_agg(payment_request_id::text) as ids from payment_request
     group by order_id`,
  );
  const idsOf = new Map(stored.map(({ order_id: orderId, ids }) => [orderId, ids]));
  const refunds = await rows<{ payment_request_id: string; ids: string[] }>(
    `select payment_request_id::text, array_agg(refund_id::text) as ids from refund
     group by payment_request_id`,
  );
  const refundsOf = new Map(refunds.map((row) => [row.payment_request_id, row.ids]));
  const lost = acknowledged.filter(
    ({ orderId, paymentRequestId: id, refundId }) =>
      !idsOf.get(orderId)?.includes(id) ||
      (refundId !== null && !refundsOf.get(id)?.includes(refundId)),
  );
  const doubled = [...idsOf.values(), ...refundsOf.values()].filter((ids) => ids.length > 1);
  return { lost, doubled };
};

/** What was answered as cancelled stays so. */
const findRevived = async (acknowledged: readonly Acknowledged[]): Promise<readonly string[]> => {
  const cancelled = await rows<{ id: string }>(
    `select payment_request_id::text as id from payment_request where status = 'CANCELLED'
     union all select payment_request_id::text from attempt where status = 'CANCELLED'
     union all select refund_id::text from refund where status = 'CANCELLED'`,
  );
  const ids = new Set(cancelled.map(({ id }) => id));
  return acknowledged
    .filter(({ kind }) => kind.startsWith('cancelled'))
    .filter(({ refundId, paymentRequestId }) => !ids.has(refundId ?? paymentRequestId))
    .map(({ kind, orderId }) => `${kind} ${orderId}`);
};

/** The periods of all open payouts end, which only the programs notice. */
const endPeriods = (): Promise<unknown> =>
  again(async () => {
    const own = new pg.Client({ connectionString: rig.databaseUrl });
    await own.connect();
    try {
      return await own.query(
        `update florin.payout set due_at = now(), period_ends_business_at = now()
         where status = 'PENDING'`,
      );
    } finally {
      await own.end();
    }
  });

/** Nothing is open that time alone would end. */
const findUnfinished = async (): Promise<readonly string[]> => {
  const open = await rows<{ what: string; count: number }>(
    `select 'attempts' as what, count(*)::int from attempt where status = 'PENDING'
     union all select 'refunds', count(*)::int from refund where status in ('INITIATED', 'PENDING')
     union all select 'payouts', count(*)::int from payout where status = 'PROCESSING'
     union all select 'deliveries', count(*)::int from delivery where state = 'PENDING'`,
  );
  return open
    .filter(({ count }) => count > 0)
    .map(({ what, count }) => `${count} ${what} are open`);
};

const findDifferences = async (): Promise<readonly string[]> => [
  ...(await findUnfinished()),
  ...(await compareBankBooks(rig)),
  ...(await compareCardBooks(rig)),
  ...(await compareTransferBooks(rig)),
  ...(await compareCollectingAccount(rig)),
  ...(await findBrokenInvariants(rig.databaseUrl)),
];

/** Events that must be delivered. A repeated status is none: endpoints of the first interface get it once. */
const toArrive = `
  select e.event_id from event e join event_body b using (merchant_id, environment, event_id)
  where exists (select from delivery d where d.event_id = e.event_id)
    or not exists (select from event f
      join event_body c using (merchant_id, environment, event_id)
      where f.resource_id = e.resource_id and f.sequence < e.sequence
        and c.body::jsonb->>'status' = b.body::jsonb->>'status')`;

test('nothing acknowledged is lost or doubled, the books balance, every event arrives', {
  timeout: maxMs + 1_200_000,
}, async () => {
  const load = await openLoad(rig);
  process.stdout.write(`KILL_SEED=${seed}\n`);
  const killed = { api: 0, worker: 0, simulator: 0, postgres: 0 };
  const count = (): number => Object.values(killed).reduce((sum, each) => sum + each, 0);
  const startedAt = performance.now();
  let round = 0;
  for (; count() < kills && performance.now() - startedAt < maxMs; round += 1) {
    await sleep(random.below(2_000));
    const chosen = chooseParts();
    for (const part of chosen) killed[part] += 1;
    await killAndRestart(chosen);
    if (round % 3 === 1) await endPeriods();
    // Leases of the dead run out, and what waits for an answer falls due.
    if (round % 4 === 3) await again(() => letTimePass(rig, 5_000).then(() => true));
  }
  await load.stop();
  client = new pg.Client({ connectionString: rig.databaseUrl });
  await client.connect();
  await client.query('set search_path = florin');
  await waitUntil(async () => {
    await again(() => letTimePass(rig).then(() => true));
    const wrong = await findDifferences();
    if (wrong.length > 0) throw new Error(wrong.slice(0, 20).join('\n'));
    return true;
  }, patience);
  const { lost, doubled } = await expectOnce(load.acknowledged);
  const revived = await findRevived(load.acknowledged);
  const ends = await rows<{ what: string; count: number }>(
    `select 'refunds ' || status as what, count(*)::int from refund group by status
     union all select 'payouts ' || status, count(*)::int from payout group by status
     order by what`,
  );
  const events = await rows<{ event_id: string }>(toArrive);
  const arrived = new Set(receiver.received.map(({ headers }) => headers['x-service-event-id']));
  const missing = events.filter(({ event_id: id }) => !arrived.has(id));
  const kinds = [...new Set(load.acknowledged.map(({ kind }) => kind))];
  const counts = kinds.map(
    (kind) => `${load.acknowledged.filter((each) => each.kind === kind).length} ${kind}s`,
  );
  process.stdout.write(
    `${round} rounds in ${Math.round((performance.now() - startedAt) / 1_000)} s, ` +
      `${count()} kills ${JSON.stringify(killed)}; acknowledged: ${counts.join(', ')}; ` +
      `ended: ${ends.map(({ what, count }) => `${count} ${what}`).join(', ')}; ` +
      `${revived.length} cancelled came back, ` +
      `${lost.length} lost, ${doubled.length} doubled, ` +
      `0 differences of the books, ${events.length} events, ${missing.length} not delivered\n`,
  );
  if (kills >= 30) expect(ends.map(({ what }) => what)).toContain('payouts SETTLED');
  expect({ lost, doubled, revived, missing }).toEqual({
    ...{ lost: [], doubled: [], revived: [], missing: [] },
  });
});
