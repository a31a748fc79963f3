import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { signForCell } from '#platform/http/cell-marks.ts';
import { loadOrCreateMasterKey } from '#platform/secrets/load-or-create-master-key.ts';
import { openSecrets, type Secrets } from '#platform/secrets/open-secrets.ts';
import {
  openTestDatabase,
  type TestDatabase,
} from '../../../../test/harness/database/open-test-database.ts';
import { discardFolder } from '../../../../test/harness/discard-folder.ts';
import { lookInto } from '../../../../test/harness/invariants/look-into.ts';
import { openReceiver } from '../../../../test/harness/open-receiver.ts';
import { runCommand } from '../../../../test/harness/programs/run-command.ts';
import { changeMove, isOfThisServer, takePause } from './store/moves.ts';

const otherId = '0192d1c6-2222-7000-8000-000000000002';
const nobody = 'http://127.0.0.1:9';
const merchantId = '0192d1c6-3333-7000-8000-000000000003';

let database: TestDatabase;
let folder: string;
let secrets: Secrets;
const change = (text: string, values: readonly unknown[] = []) =>
  lookInto(database.url, async (client) => (await client.query(text, [...values])).rows);
const becomes = (status: string) => change('update cell_move set status = $1', [status]);
const operate = (...words: string[]) =>
  runCommand('operate.ts', words, { FLORIN_DATA: folder, DATABASE_URL: database.url });

/** A cell whose programs answer what a test says. */
let cell: Awaited<ReturnType<typeof openReceiver>>;
let said: object;
/** A transaction of the other cell, far above those of this one. */
const writtenIn = String(7n << 40n);
let key: Pick<Secrets, 'keyFor'>;
beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'florin-cells-'));
  secrets = openSecrets([await loadOrCreateMasterKey(folder)]);
  cell = await openReceiver(({ headers }, reply) => {
    const body = JSON.stringify({
      cellId: otherId,
      atMs: systemClock.now().getTime(),
      writtenIn,
      ...said,
    });
    const nonce = String(headers['florin-cell']).split(' ')[1] ?? '';
    reply.setHeader('florin-cell', signForCell(key, 'answer', nonce, body));
    reply.end(body);
  });
  key = secrets;
  said = { sides: [] };
  await change('insert into cell (cell_id, address) values ($1, $2)', [otherId, nobody]);
  await change(
    `insert into cell_move (merchant_id, move_id, version, status, other_cell_id, moved_by)
     values ($1, gen_random_uuid(), 2, 'GONE', $2, 'a test')`,
    [merchantId, otherId],
  );
  await change('update cluster_epoch set confirmed_at = null');
  [{ cell_id: ownId }] = await change('select cell_id from cell where address is null');
});
afterAll(async () => {
  await cell.close();
  await database.close();
  await discardFolder(folder);
});

let ownId: string;
const serves = (version: number, status: string) => ({
  sides: [
    {
      ...{ cellId: otherId, merchantId: merchantId, version, status },
      ...{ otherCellId: ownId, isKnown: true },
    },
  ],
});
const confirm = async (...words: string[]) => (await operate('confirm-epoch', ...words)).said;

test('no epoch is confirmed where the other does not answer, or is not that cell', async () => {
  expect(await confirm()).toContain(`confirm-epoch without=${otherId}`);
  const { origin } = new URL(cell.url);
  said = { cellId: merchantId, sides: [] };
  const moved = await operate('cell-address', otherId, origin);
  expect(moved.said).toContain(`not the cell ${otherId}`);
  said = { atMs: systemClock.now().getTime() - 60_000, sides: [] };
  expect((await operate('cell-address', otherId, origin)).said).toMatch(/by -6\d seconds/);
  said = { sides: [] };
  key = { keyFor: () => Buffer.alloc(32) };
  expect((await operate('cell-address', otherId, origin)).said).toContain('no cell with the keys');
  key = secrets;
  expect((await operate('cell-address', otherId, origin)).out).toContain(origin);
});

test('a cell on another machine is reached by https alone', async () => {
  for (const address of ['http://other.internal', 'http://10.0.0.7:3000'])
    expect((await operate('cell-address', otherId, address)).said).toContain('name it by https');
});

test('no epoch is confirmed while both serve it, or none', async () => {
  await becomes('COPYING');
  said = serves(2, 'HERE');
  expect(await confirm()).toContain('is served by both: run "operator settle-move');
  await becomes('GONE');
  said = serves(1, 'UNDONE');
  expect(await confirm()).toContain('is served by neither');
  await becomes('COPYING');
  said = serves(2, 'ARRIVING');
  // A command that hangs may open it there after this one is confirmed.
  expect(await confirm()).toContain('is on its way: run "operator cancel-move"');
  await becomes('PAUSED');
  expect(await confirm()).toContain('is paused in its move');
  await becomes('GONE');
  said = serves(2, 'HERE');
  expect((await operate('compare-cells')).out).toContain('agree who serves');
  expect(await confirm()).toBe('');
  // Cursors of a merchant that came from there are above its numbers by as much as a raise.
  const now = async () => BigInt((await change('select written_in()::text as now'))[0].now);
  expect(await now()).toBeGreaterThan(9n << 40n);
  await change('update cluster_epoch set confirmed_at = null');
  said = serves(1, 'HERE');
  const before = await now();
  expect(await confirm(`without=${otherId}`)).toBe('');
  expect(await now()).toBeGreaterThan(before + (4n << 40n));
});

test('a copy that a restored or promoted server has a part of never opens', async () => {
  await change('update cluster_epoch set confirmed_at = now()');
  const client = new pg.Client({
    connectionString: database.url,
    options: '-c search_path=florin',
  });
  await client.connect();
  const move = { merchant_id: merchantId, move_id: randomUUID() };
  const pause = async () => {
    await client.query(
      `update cell_move set move_id = $1, status = 'ARRIVING', began_in_epoch = newest_epoch()`,
      [move.move_id],
    );
    return takePause(client, move);
  };
  const first = await pause();
  // Only who knows the last number opens it.
  const second = await takePause(client, move);
  expect(await changeMove(client, move, 'arrived', first)).toBe(false);
  expect(await changeMove(client, move, 'arrived', second)).toBe(true);
  const hung = await pause();
  await client.query(`update cell_move set changed_at = changed_at - interval '10 seconds'`);
  expect(await changeMove(client, move, 'arrived', hung)).toBe(false);
  await pause();
  const third = await takePause(client, move);
  // What begins is as of a promoted standby, and confirmed.
  await client.query('update cluster_epoch set timeline = timeline + 1000');
  await client.query('select begin_cluster_epoch()');
  await client.query('update cluster_epoch set confirmed_at = now()');
  expect(await isOfThisServer(client, move)).toBe(false);
  expect(await changeMove(client, move, 'arrived', third)).toBe(false);
  expect(await changeMove(client, move, 'cancelled')).toBe(true);
  await client.end();
});

test('a pause is lifted by what came after it alone', async () => {
  const client = new pg.Client({
    connectionString: database.url,
    options: '-c search_path=florin',
  });
  await client.connect();
  const move = { merchant_id: merchantId, move_id: randomUUID() };
  await client.query(
    `update cell_move set move_id = $1, status = 'COPYING', pauses = 50,
       began_in_epoch = newest_epoch()`,
    [move.move_id],
  );
  expect(await changeMove(client, move, 'paused', 3)).toBe(true);
  for (const [pause, isLifted] of [
    [2, false],
    [3, false],
    [4, true],
  ] as const)
    expect(await changeMove(client, move, 'pauseLifted', pause)).toBe(isLifted);
  await client.end();
});
