import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkMove } from '../harness/check-move.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { lookInto } from '../harness/invariants/look-into.ts';
import { type CellsUnderTest, countRows, openCells, readSide } from '../harness/open-cells.ts';
import { openShops } from '../harness/open-shops.ts';
import { waitUntil } from '../harness/wait-until.ts';

const patience = { withinMs: 60_000 };
// Against what hangs: beside other work of a machine of two cores one took two minutes.
vi.setConfig({ testTimeout: 360_000 });

let cells: CellsUnderTest;
let checks: ReturnType<typeof checkMove>;
beforeAll(async () => {
  cells = await openCells();
  checks = checkMove(cells);
}, 180_000);
afterAll(() => cells?.close());

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Holds the record of the move in the other cell, without which that does not open the merchant. */
const withoutAudit = (run: () => Promise<unknown>) =>
  lookInto(cells.otherUrl, async (client) => {
    await client.query('begin; select from audit_head for update');
    try {
      await run();
    } finally {
      await client.query('rollback');
    }
  });

const numberIn = (databaseUrl: string) =>
  lookInto(databaseUrl, async (client) => {
    const { rows } = await client.query<{ now: string }>('select written_in()::text as now');
    return BigInt(rows[0]?.now ?? 0);
  });
const numberHere = () => numberIn(cells.sandbox.databaseUrl);
const numberThere = () => numberIn(cells.otherUrl);
const raiseHere = async () => {
  const above = await numberThere();
  await lookInto(cells.sandbox.databaseUrl, (client) =>
    client.query('select raise_cluster_epoch($1::xid8)', [above.toString()]),
  );
  expect(await numberHere()).toBeGreaterThan(above);
};

const slowRecord = `
  create function slow_record() returns trigger language plpgsql as
    'begin perform pg_sleep(5); return new; end';
  create trigger slow before insert on audit_record for each row
    when (new.detail::text like '%moveId%') execute function slow_record()`;

const listCarriers = async () => {
  const found = [];
  for (const url of [cells.sandbox.databaseUrl, cells.otherUrl])
    found.push(
      ...(await lookInto(url, async (client) => {
        const { rows } = await client.query<{ name: string }>(
          `select slot_name as name from pg_replication_slots where slot_name ~ '^florin_cell|_sync_'
           union all select pubname from pg_publication union all select subname from pg_subscription`,
        );
        return rows;
      })),
    );
  return found;
};

describe('killed, a move ends in one cell', () => {
  const steps = [
    'closing it there',
    'raising its numbers',
    'preparing to close it here',
    'copying',
    'tables are copied',
    'pausing',
    'opening it there',
    'it is there',
    'closing it here',
    'clearing up',
  ];

  test.each(steps)('in the other one, when it is run again: %s', async (line) => {
    const shop = await cells.newShop();
    const shops = openShops(shop);
    closers.push(shops.stop);
    await waitUntil(() => shops.paid.length > 1, patience);
    await cells.killAt(line, shop.merchantId);
    await checks.expectOneSide(shop.merchantId);
    // As a merchant that comes from the other one does.
    if (line === 'tables are copied') await raiseHere();
    await checks.move(shop.merchantId);
    expect(await numberThere()).toBeGreaterThan(await numberHere());
    const before = shops.paid.length;
    await waitUntil(() => shops.paid.length > before + 1, patience);
    await shops.stop();
    await shops.expectNothingLost();
    await checks.expectWhole(shop.merchantId);
  });

  test.each(['preparing to close it here', 'tables are copied', 'opening it there'])(
    'in this one, when it is cancelled: %s',
    async (line) => {
      const shop = await cells.newShop();
      const shops = openShops(shop);
      closers.push(shops.stop);
      await waitUntil(() => shops.paid.length > 1, patience);
      await withoutAudit(() => cells.killAt(line, shop.merchantId));
      if (line === 'opening it there') {
        const body = { customerId: 'c', orderId: 'o', amount: 5 };
        const refused = await shop.request('POST', '/api/payments/process-payment', { body });
        expect(refused).toMatchObject({ status: 503, body: { name: 'UNAVAILABLE' } });
        expect(refused.headers.get('retry-after')).toBe('2');
      }
      const cancelled = await cells.operate(['cancel-move', shop.merchantId]);
      expect(cancelled, cancelled.said).toMatchObject({ code: 0 });
      await checks.expectOneSide(shop.merchantId);
      const before = shops.paid.length;
      await waitUntil(() => shops.paid.length > before + 1, patience);
      await shops.stop();
      await shops.expectNothingLost();
      const { own } = [...(await countRows(cells.otherUrl, [shop.merchantId])).values()].reduce(
        (sum, each) => ({ own: sum.own + each.own, others: 0 }),
        { own: 0, others: 0 },
      );
      expect(own).toBe(0);
      expect(await findBrokenInvariants(cells.sandbox.databaseUrl, shop)).toEqual([]);
      // Cancelled, it can be moved anew.
      if (line === 'tables are copied') await checks.move(shop.merchantId);
    },
  );

  test.each(['tables are copied', 'opening it there'])(
    'in this one, without the other cell: %s',
    async (line) => {
      const shop = await cells.newShop();
      await withoutAudit(() => cells.killAt(line, shop.merchantId));
      const alone = { OTHER_CELL_DATABASE_URL: '' };
      let given = await cells.operate(['abandon-move', shop.merchantId], alone);
      if (line === 'opening it there') {
        expect(given.said).toContain('cannot be known here');
        const stated = 'the-other-cell-never-serves-it';
        given = await cells.operate(['abandon-move', shop.merchantId, stated], alone);
      }
      expect(given, given.said).toMatchObject({ code: 0 });
      const left = await lookInto(cells.sandbox.databaseUrl, async (client) => {
        const { rows } = await client.query(
          `select slot_name as name from pg_replication_slots where slot_name like 'florin_cell%'
           union all select pubname from pg_publication`,
        );
        return rows;
      });
      expect(left).toEqual([]);
      const body = { customerId: 'c', orderId: 'o', amount: 5 };
      const made = await shop.request('POST', '/api/payments/process-payment', { body });
      expect(made.status).toBe(200);
      // It comes back: nothing opens there, and the merchant can be moved to it anew.
      const waits = await cells.operate(['move-merchant', shop.merchantId]);
      expect(waits.said).toContain('waits for another move');
      const closed = await cells.operateThere(['abandon-move', shop.merchantId]);
      expect(closed, closed.said).toMatchObject({ code: 0 });
      await checks.expectOneSide(shop.merchantId);
      await checks.move(shop.merchantId);
    },
  );

  test('before it had cleared up, the merchant goes back at once, and nothing else comes', async () => {
    const shop = await cells.newShop();
    const shops = openShops(shop);
    closers.push(shops.stop);
    await waitUntil(() => shops.paid.length > 1, patience);
    const { databaseUrl } = cells.sandbox;
    // Between what closes it here and what clears up, whenever the kill comes.
    await lookInto(databaseUrl, (client) => client.query(slowRecord));
    await cells.killAt('closing it here', shop.merchantId);
    await lookInto(databaseUrl, async (client) => {
      await client.query('drop function slow_record cascade');
      await client.query(`update cell_move set status = 'GONE' where merchant_id = $1`, [
        shop.merchantId,
      ]);
    });
    expect(await listCarriers()).not.toEqual([]);
    // Leases and logs, which the pause leaves open, come no more.
    const read = 'select subenabled as is_on from pg_subscription';
    const { rows: received } = await lookInto(cells.otherUrl, (client) => client.query(read));
    expect(received).toEqual([{ is_on: false }]);
    const back = await cells.operateThere(['move-merchant', shop.merchantId]);
    expect(back, back.said).toMatchObject({ code: 0 });
    expect(await listCarriers()).toEqual([]);
    expect(await numberHere()).toBeGreaterThan(await numberThere());
    const removed = await cells.operateThere(['remove-moved', shop.merchantId]);
    expect(removed, removed.said).toMatchObject({ code: 0 });
    const before = shops.paid.length;
    await waitUntil(() => shops.paid.length > before + 1, patience);
    await shops.stop();
    await shops.expectNothingLost();
    expect(await findBrokenInvariants(cells.sandbox.databaseUrl, shop)).toEqual([]);
  });
});

test('a command that hangs while it opens the other cell opens nothing later', async () => {
  const { merchantId } = await cells.newShop();
  let goOn = async (): Promise<string> => '';
  await withoutAudit(async () => {
    goOn = await cells.hangAt('opening it there', merchantId);
  });
  // Its transaction is ended by the server, and its right to open with it.
  await waitUntil(
    () =>
      lookInto(cells.otherUrl, async (client) => {
        const { rows } = await client.query(
          `select from cell_move where merchant_id = $1 and changed_at < now() - interval '11 seconds'
             and not exists (select from pg_stat_activity
               where application_name = 'florin-cells' and state like 'idle in transaction%')`,
          [merchantId],
        );
        return rows.length === 1;
      }),
    patience,
  );
  const sides = [cells.sandbox.databaseUrl, cells.otherUrl].map((url) => readSide(url, merchantId));
  expect(await Promise.all(sides)).toEqual(['PAUSED', 'ARRIVING']);
  await goOn();
  await checks.expectOneSide(merchantId);
  await checks.move(merchantId);
});

test('a command opens nothing by the pause of another one', async () => {
  const { merchantId } = await cells.newShop();
  const goOn = await cells.hangAt('tables are copied', merchantId);
  // As when this one has lost its lock: another one has paused, and is not ended yet.
  const pause = `update cell_move set status = replace(status, 'COPYING', 'PAUSED'), pauses = 5
    where merchant_id = $1`;
  for (const url of [cells.sandbox.databaseUrl, cells.otherUrl])
    await lookInto(url, (client) => client.query(pause, [merchantId]));
  expect(await goOn()).toContain('another command goes on with it');
  const sides = [cells.sandbox.databaseUrl, cells.otherUrl].map((url) => readSide(url, merchantId));
  expect(await Promise.all(sides)).toEqual(['PAUSED', 'ARRIVING']);
  await checks.move(merchantId);
});

const aloneWith = { OTHER_CELL_DATABASE_URL: '' };

test('while a command works on a merchant every other one is refused, from either side', async () => {
  const { merchantId } = await cells.newShop();
  const refused = 'Another command moves this merchant';
  const others = ['move-merchant', 'cancel-move', 'settle-move', 'remove-moved'];
  for (const line of ['preparing to close it here', 'tables are copied']) {
    const goOn = await cells.hangAt(line, merchantId);
    for (const word of others)
      for (const operate of [cells.operate, cells.operateThere])
        expect((await operate([word, merchantId])).said).toContain(refused);
    const stated = ['abandon-move', merchantId, 'the-other-cell-never-serves-it'];
    expect((await cells.operate(stated, aloneWith)).said).toContain(refused);
    expect((await cells.operateThere(stated)).said).toContain(refused);
    expect(await goOn()).toContain('is in the other cell now');
    const back = await cells.operateThere(['move-merchant', merchantId]);
    expect(back, back.said).toMatchObject({ code: 0 });
  }
});

test('of commands that begin at once no two go on, and the merchant is in one cell', async () => {
  const shop = await cells.newShop();
  const { merchantId } = shop;
  const shops = openShops(shop);
  closers.push(shops.stop);
  await waitUntil(() => shops.paid.length > 1, patience);
  const move = ['move-merchant', merchantId];
  const both = await Promise.all([cells.operate(move), cells.operate(move)]);
  expect(both.map(({ code }) => code).sort(), both.map(({ said }) => said).join()).toEqual([0, 1]);
  // One clears up here what the other carries back; or it goes, and is cancelled.
  for (const [here, there] of [
    ['move-merchant', 'move-merchant'],
    ['move-merchant', 'remove-moved'],
    ['cancel-move', 'move-merchant'],
    ['cancel-move', 'cancel-move'],
  ] as const) {
    await Promise.all([cells.operate([here, merchantId]), cells.operateThere([there, merchantId])]);
    await checks.expectOneSide(merchantId);
  }
  for (const operate of [cells.operate, cells.operateThere])
    await operate(['cancel-move', merchantId]);
  const before = shops.paid.length;
  await waitUntil(() => shops.paid.length > before + 1, patience);
  await shops.stop();
  await shops.expectNothingLost();
  const sides = [cells.sandbox.databaseUrl, cells.otherUrl].map((url) => readSide(url, merchantId));
  const serving = ['HERE', 'CANCELLED'];
  expect((await Promise.all(sides)).filter((side) => serving.includes(side ?? ''))).toHaveLength(1);
});
