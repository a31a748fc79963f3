import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkMove } from '../harness/check-move.ts';
import { findBrokenInvariants } from '../harness/invariants/find-broken-invariants.ts';
import { lookInto } from '../harness/invariants/look-into.ts';
import { type CellsUnderTest, openCells, readSide } from '../harness/open-cells.ts';
import { openShops } from '../harness/open-shops.ts';
import { waitUntil } from '../harness/wait-until.ts';

const patience = { withinMs: 60_000 };
/** docs/CELLS.md says so. */
const pauseWithinMs = 5_000;

let cells: CellsUnderTest;
let checks: ReturnType<typeof checkMove>;
beforeAll(async () => {
  cells = await openCells();
  checks = checkMove(cells);
}, 180_000);
afterAll(() => cells?.close());

const inDatabase =
  (urlOf: () => string) =>
  (text: string, values: readonly unknown[] = []) =>
    lookInto(urlOf(), async (client) => (await client.query(text, [...values])).rows);
const changeHere = inDatabase(() => cells.sandbox.databaseUrl);
const changeThere = inDatabase(() => cells.otherUrl);

const sides = async (merchantId: string) => [
  await readSide(cells.sandbox.databaseUrl, merchantId),
  await readSide(cells.otherUrl, merchantId),
];

test('restored to before a move, a cell is confirmed when the later move is settled', async () => {
  const { request, merchantId } = await cells.newShop();
  await checks.move(merchantId);
  await changeHere('delete from cell_move where merchant_id = $1', [merchantId]);
  await changeHere('select open_cell_table(table_name, $1) from cell_tables()', [merchantId]);
  await changeHere('update cluster_epoch set confirmed_at = null');
  const both = await cells.operate(['confirm-epoch']);
  expect(both.said).toContain(`${merchantId} is served by both: run "operator settle-move`);
  const settled = await cells.operate(['settle-move', merchantId]);
  expect(settled.out, settled.said).toContain('is in the other cell');
  expect(await sides(merchantId)).toEqual(['GONE', 'HERE']);
  const [closed] = await changeHere(
    `select count(*)::int as tables from cell_tables()
     where $1::uuid = any (fenced_merchants(table_name))`,
    [merchantId],
  );
  expect(closed.tables).toBeGreaterThan(70);
  expect(await cells.operate(['confirm-epoch'])).toMatchObject({ code: 0 });
  const again = await cells.operate(['settle-move', merchantId]);
  expect(again.said).toContain('nothing is to settle');
  expect((await request('GET', '/api/webhook/events')).status).toBe(200);

  // A move that had only begun here removes nothing there, where the other one has lost what it was.
  await changeThere('delete from cell_move where merchant_id = $1', [merchantId]);
  const begun = `update cell_move set status = 'PREPARING', version = 7 where merchant_id = $1`;
  await changeHere(begun, [merchantId]);
  const refused = await cells.operate(['move-merchant', merchantId]);
  expect(refused.said).toContain('is served by both');
  expect(await sides(merchantId)).toEqual(['PREPARING', null]);
  expect(await cells.operate(['settle-move', merchantId])).toMatchObject({ code: 0 });
}, 120_000);

test('a cell that comes back after the merchant went to a third closes alone', async () => {
  const { request, merchantId } = await cells.newShop();
  await checks.move(merchantId);
  const thirdId = crypto.randomUUID();
  const third = `insert into cell values ($1, 'http://127.0.0.1:9')`;
  await changeHere(third, [thirdId]);
  // Given up here, and gone on.
  await changeHere('update cell_move set version = 3, other_cell_id = $2 where merchant_id = $1', [
    merchantId,
    thirdId,
  ]);
  const settle = () => cells.operate(['settle-move', merchantId]);
  expect((await settle()).said).toContain(`operator cell-address ${thirdId}`);
  await changeThere(third, [thirdId]);
  const settled = await settle();
  expect(settled.out, settled.said).toContain(`which leads to the cell ${thirdId}`);
  expect(await sides(merchantId)).toEqual(['GONE', 'GONE']);
  expect((await settle()).said).toContain('nothing is to settle');
  expect((await request('GET', '/api/webhook/events')).status).toBe(503);
  for (const change of [changeHere, changeThere]) {
    await change('delete from cell_move where merchant_id = $1', [merchantId]);
    await change('delete from cell where cell_id = $1', [thirdId]);
  }
}, 120_000);

test('what a restored cell has lost is served by the closed copy, and moves to and fro', async () => {
  const shop = await cells.newShop();
  const { request, merchantId } = shop;
  const page = async () => (await request('GET', '/api/webhook/events')).status;
  await checks.move(merchantId);
  await changeThere(`update cell_move set status = 'ARRIVING' where merchant_id = $1`, [
    merchantId,
  ]);
  await changeThere('update cluster_epoch set confirmed_at = null');
  const none = await cells.operateThere(['confirm-epoch']);
  expect(none.said).toContain(`${merchantId} is served by neither`);
  const settled = await cells.operateThere(['settle-move', merchantId]);
  expect(settled.out, settled.said).toContain('is in the other cell');
  expect(await sides(merchantId)).toEqual(['HERE', 'GONE']);
  expect(await cells.operateThere(['confirm-epoch'])).toMatchObject({ code: 0 });
  expect(await page()).toBe(200);
  // What had come to it in part never opens, whatever is stated.
  const stated = ['abandon-move', merchantId, 'the-other-cell-never-serves-it'];
  expect((await cells.operateThere(stated)).said).toContain('no whole copy');
  await checks.move(merchantId);
  const status = 'update cell_move set status = $2 where merchant_id = $1';
  await changeHere(status, [merchantId, 'PAUSED']);
  const early = await cells.operateThere(['move-merchant', merchantId]);
  expect(early.said).toContain('has not closed the merchant');
  await checks.move(merchantId);

  // Back, and cancelled: the first address answers all the while, and after.
  await expectNoThird(merchantId);
  await cells.killAt('tables are copied', merchantId, 'there');
  expect(await sides(merchantId)).toEqual(['ARRIVING', 'COPYING']);
  expect(await page()).toBe(200);
  const cancelled = await cells.operateThere(['cancel-move', merchantId]);
  expect(cancelled, cancelled.said).toMatchObject({ code: 0 });
  const [known] = await changeHere(
    'select count(*)::int as secrets from secret_directory where merchant_id = $1',
    [merchantId],
  );
  expect([known.secrets, await page()]).toEqual([2, 200]);
  await expectNoThird(merchantId);

  const shops = openShops(shop);
  await waitUntil(() => shops.paid.length > 2, patience);
  const back = await cells.operateThere(['move-merchant', merchantId]);
  expect(back, back.said).toMatchObject({ code: 0 });
  const before = shops.paid.length;
  await waitUntil(() => shops.paid.length > before + 2, patience);
  await shops.stop();
  await shops.expectNothingLost();
  expect(await sides(merchantId)).toEqual(['HERE', 'GONE']);
  expect(await findBrokenInvariants(cells.sandbox.databaseUrl, { merchantId })).toEqual([]);
}, 240_000);

/** It has been in two cells: from the second one it goes on to no other. */
const expectNoThird = async (merchantId: string) => {
  const [third] = await changeThere(
    `insert into cell values (gen_random_uuid(), 'http://127.0.0.1:9') returning cell_id`,
  );
  const cameFrom = 'update cell_move set other_cell_id = $2 where merchant_id = $1';
  const [first] = await changeHere('select cell_id from cell where address is null');
  await changeThere(cameFrom, [merchantId, third.cell_id]);
  const onward = await cells.operateThere(['move-merchant', merchantId]);
  expect(onward.said).toContain('and to no third');
  await changeThere(cameFrom, [merchantId, first.cell_id]);
  await changeThere('delete from cell where cell_id = $1', [third.cell_id]);
};

test('two move at once, each to where the other comes from', async () => {
  const [goes, comes] = [await cells.newShop(), await cells.newShop()];
  await checks.move(comes.merchantId);
  const [shops, others] = [openShops(goes), openShops(comes)];
  await waitUntil(() => shops.paid.length > 1 && others.paid.length > 1, patience);
  const [back] = await Promise.all([
    cells.operateThere(['move-merchant', comes.merchantId]),
    checks.move(goes.merchantId),
  ]);
  expect(back, back.said).toMatchObject({ code: 0 });
  const before = [shops.paid.length, others.paid.length] as const;
  await waitUntil(
    () => shops.paid.length > before[0] + 1 && others.paid.length > before[1] + 1,
    patience,
  );
  for (const each of [shops, others]) {
    await each.stop();
    await each.expectNothingLost();
  }
  await checks.expectWhole(goes.merchantId);
  const { databaseUrl } = cells.sandbox;
  expect(await findBrokenInvariants(databaseUrl, comes)).toEqual([]);
}, 240_000);

const slow = `
  create function slow_audit() returns trigger language plpgsql as
    'begin perform pg_sleep(20); return new; end';
  create trigger slow before insert on audit_record for each row execute function slow_audit()`;

test('what takes too long in the pause lets the first cell go on', async () => {
  const { request, merchantId } = await cells.newShop();
  const body = { customerId: 'c', orderId: 'o', amount: 5 };
  await changeThere(slow);
  let [isMoving, longestMs, servedAtMs] = [true, 0, performance.now()];
  const calling = (async () => {
    while (isMoving) {
      const { status } = await request('POST', '/api/payments/process-payment', { body });
      const nowMs = performance.now();
      if (status !== 503) servedAtMs = nowMs;
      longestMs = Math.max(longestMs, nowMs - servedAtMs);
    }
  })();
  await cells.killAt('was lifted', merchantId);
  expect(longestMs).toBeGreaterThan(3_000);
  await changeThere('drop function slow_audit cascade');
  await checks.move(merchantId);
  isMoving = false;
  await calling;
  expect(longestMs).toBeLessThan(pauseWithinMs);
  expect(await sides(merchantId)).toEqual(['GONE', 'HERE']);
}, 120_000);
