import { afterAll, beforeAll, expect, test } from 'vitest';
import { metrics } from '../../service/src/platform/metrics.ts';
import { openObserver } from '../../service/src/programs/monitoring/observe.ts';
import { alerts } from '../../tools/describe/alerts.ts';
import { checkMove } from '../harness/check-move.ts';
import { firing, readSeries } from '../harness/firing-alerts.ts';
import { lookInto } from '../harness/invariants/look-into.ts';
import { type CellsUnderTest, openCells } from '../harness/open-cells.ts';
import { waitUntil } from '../harness/wait-until.ts';

let cells: CellsUnderTest;
beforeAll(async () => {
  cells = await openCells();
}, 180_000);
afterAll(() => cells?.close());

const isCalledFor = async (): Promise<boolean> => {
  await openObserver(cells.sandbox.tools)();
  const series = readSeries(metrics.text());
  const [alert] = alerts.filter(({ name }) => name === 'FlorinMoveLeft');
  return alert !== undefined && firing(alert, series, series).length > 0;
};

const change = (url: string, text: string) =>
  lookInto(url, async (client) => (await client.query(text)).rows);
const here = (text: string) => change(cells.sandbox.databaseUrl, text);

const listSlots = () => here('select slot_name, wal_status from pg_replication_slots');

test('a move that needs more log than the server keeps is said, cancelled and begun anew', async () => {
  const { merchantId } = await cells.newShop();
  await cells.killAt('tables are copied', merchantId);
  const [subscription] = await change(cells.otherUrl, 'select subname from pg_subscription');
  await change(cells.otherUrl, `alter subscription ${subscription.subname} disable`);
  await here(`alter system set max_slot_wal_keep_size = '1MB'`);
  await here('select pg_reload_conf()');
  await waitUntil(async () => {
    await here(`select pg_logical_emit_message(false, 'test', 'something')`);
    await here('select pg_switch_wal()');
    await here('checkpoint');
    return (await listSlots()).every(({ wal_status }) => wal_status === 'lost');
  });
  await change(cells.otherUrl, `alter subscription ${subscription.subname} enable`);
  const ran = await cells.operate(['move-merchant', merchantId]);
  expect(ran.said).toContain('run "operator cancel-move", and begin anew');
  const cancelled = await cells.operate(['cancel-move', merchantId]);
  expect(cancelled, cancelled.said).toMatchObject({ code: 0 });
  await here('alter system reset max_slot_wal_keep_size');
  await here('select pg_reload_conf()');
  expect(await isCalledFor()).toBe(false);
  await checkMove(cells).move(merchantId);
}, 180_000);

test('a move that nobody goes on with is called for, and ends also with the other cell down', async () => {
  const shop = await cells.newShop();
  const goOn = await cells.hangAt('tables are copied', shop.merchantId);
  // A command works on it, if slowly.
  expect(await isCalledFor()).toBe(false);
  await goOn();
  const next = await cells.newShop();
  await cells.killAt('tables are copied', next.merchantId);
  await waitUntil(isCalledFor);
  cells.killOtherServer();
  await waitUntil(async () => (await here('select from pg_stat_replication')).length === 0);
  expect(await listSlots()).not.toEqual([]);
  expect(await isCalledFor()).toBe(true);
  for (const word of ['move-merchant', 'cancel-move'])
    expect(await cells.operate([word, next.merchantId])).toMatchObject({ code: 1 });
  const given = await cells.operate(['abandon-move', next.merchantId]);
  expect(given, given.said).toMatchObject({ code: 0 });
  expect(await listSlots()).toEqual([]);
  expect(await isCalledFor()).toBe(false);
  const body = { customerId: 'c', orderId: 'o', amount: 5 };
  const made = await next.request('POST', '/api/payments/process-payment', { body });
  expect(made.status).toBe(200);
}, 180_000);
