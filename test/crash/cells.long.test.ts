import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkMove } from '../harness/check-move.ts';
import { lookInto } from '../harness/invariants/look-into.ts';
import { type CellsUnderTest, countRows, openCells } from '../harness/open-cells.ts';
import { openReceiver } from '../harness/open-receiver.ts';
import { openShops } from '../harness/open-shops.ts';
import { findTestPort } from '../harness/programs/find-test-port.ts';
import { waitUntil } from '../harness/wait-until.ts';

const patience = { withinMs: 60_000 };
/** docs/CELLS.md says so. */
const pauseWithinMs = 5_000;

let cells: CellsUnderTest;
let checks: ReturnType<typeof checkMove>;
let shop: Awaited<ReturnType<CellsUnderTest['newShop']>>;
let paid: readonly string[];
beforeAll(async () => {
  cells = await openCells();
  checks = checkMove(cells);
  shop = await cells.newShop();
}, 180_000);
afterAll(() => cells?.close());

const changeThere = (text: string, values: readonly unknown[] = []) =>
  lookInto(cells.otherUrl, async (client) => (await client.query(text, [...values])).rows);
const changeHere = (text: string, values: readonly unknown[] = []) =>
  lookInto(
    cells.sandbox.databaseUrl,
    async (client) => (await client.query(text, [...values])).rows,
  );

const refusal = async (merchantId: string, changed = {}): Promise<string> => {
  const ran = await cells.operate(['move-merchant', merchantId], changed);
  expect(ran.code).toBe(1);
  return ran.said;
};

test('a move that would not be whole is refused with a sentence', async () => {
  const { sandbox, otherUrl } = cells;
  const { merchantId } = sandbox.tenant;
  expect(await refusal(merchantId)).toContain('payouts are switched on in SANDBOX');
  expect(await refusal(shop.merchantId, { CELL_DATABASE_URL: '' })).toContain('two settings');
  const swapped = { CELL_DATABASE_URL: otherUrl, OTHER_CELL_DATABASE_URL: sandbox.databaseUrl };
  expect(await refusal(shop.merchantId, swapped)).toContain('No merchant has the id');
  const same = { OTHER_CELL_DATABASE_URL: sandbox.databaseUrl };
  expect(await refusal(shop.merchantId, same)).toContain('the same database');
  const [key] = await changeThere(`select key_encrypted from purpose_key where purpose = 'people'`);
  await changeThere(`update purpose_key set key_encrypted = '\\x00' where purpose = 'people'`);
  expect(await refusal(shop.merchantId)).toContain('another master key');
  await changeThere(`delete from purpose_key where purpose = 'people'`);
  expect(await refusal(shop.merchantId)).toContain('another key for people');
  await changeThere(`insert into purpose_key (purpose, key_encrypted) values ('people', $1)`, [
    key.key_encrypted,
  ]);
});

test('a move is refused where both cells collect on one account, or share a folder of the bank', async () => {
  const thirdId = crypto.randomUUID();
  const account = `insert into collecting_account values ('PRODUCTION', '180002', '00000190', 'Florin')`;
  for (const change of [changeHere, changeThere]) await change(account);
  expect(await refusal(shop.merchantId)).toContain('one collecting account in production');
  expect((await cells.operate(['begin-cell', 'https://one', 'https://two'])).said).toContain(
    'give the other its own',
  );
  for (const change of [changeHere, changeThere])
    await change(`delete from collecting_account where environment = 'PRODUCTION'`);
  const folder = 'insert into transfer_folder (environment, folder_id) values ($1, $2)';
  for (const change of [changeHere, changeThere]) await change(folder, ['PRODUCTION', thirdId]);
  expect(await refusal(shop.merchantId)).toContain(`one folder of the bank's files, ${thirdId}`);
  for (const change of [changeHere, changeThere]) await change('delete from transfer_folder');
});

test('a move is refused where its cells are not those of their addresses, or wait for a person', async () => {
  const { merchantId } = shop;
  const [at] = await changeHere('select cell_id, address from cell where address is not null');
  const becomes = (address: string) =>
    changeHere('update cell set address = $1 where address is not null', [address]);
  await becomes('http://127.0.0.1:9');
  expect(await refusal(merchantId)).toContain('No cell answers at http://127.0.0.1:9');
  await becomes(cells.sandbox.url);
  expect(await refusal(merchantId)).toContain(`not the cell ${at.cell_id}`);
  const named = await cells.operate(['cell-address', at.cell_id, at.address]);
  expect(named, named.said).toMatchObject({ code: 0 });
  expect((await cells.operate(['cells'])).out).toContain(`${at.cell_id}  ${at.address}`);
  await changeHere('update cluster_epoch set confirmed_at = null');
  expect(await refusal(merchantId)).toContain('run "operator confirm-epoch" there first');
  expect(await cells.operate(['confirm-epoch'])).toMatchObject({ code: 0 });
  await changeHere(
    `set session_replication_role = replica;
     insert into refund_approval (merchant_id, environment, approval_id, payment_request_id, attempt_id,
       payment_idempotency_id, order_id, amount_pence, status, proposed_by, proposed_by_name, created_at,
       updated_at)
     values ('${merchantId}', 'SANDBOX', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'p',
       'o', 100, 'WAITING', gen_random_uuid(), 'Ada', now(), now())`,
  );
  expect(await refusal(merchantId)).toContain('1 refunds wait for a second person');
  await changeHere(
    `set session_replication_role = replica;
     delete from refund_approval where merchant_id = '${merchantId}'`,
  );
});

const addPerson = `insert into person (person_id, name, email, email_verified, is_operator)
  values (gen_random_uuid(), $1, $2, $3, true) returning person_id`;

test('members come along, and nobody else under their address', async () => {
  const emails = ['known@shop.example', 'new@shop.example'];
  for (const email of emails) {
    const [person] = await changeHere(addPerson, ['Member', email, true]);
    await changeHere(
      `with password as (insert into person_credential (credential_id, person_id, provider, account,
         password_hash) values (gen_random_uuid(), $2::uuid, 'credential', ($2::uuid)::text, 'a hash'))
       insert into membership (merchant_id, person_id, role) values ($1, $2::uuid, 'owner')`,
      [shop.merchantId, person.person_id],
    );
  }
  const [stranger] = await changeThere(addPerson, ['Somebody', emails[0], false]);
  expect(await refusal(shop.merchantId)).toContain('without proving that address');
  await changeThere('update person set email_verified = true, is_operator = false');
  expect(stranger.person_id).not.toBe('');
});

test('a merchant is carried to another cell under payments, and its callers notice a pause', async () => {
  const { request, merchantId } = shop;
  const receiver = await openReceiver();
  const hook = { url: receiver.url, events: ['PAYMENTS_STATUS'] };
  const subscribed = await request('POST', '/api/webhook/v2/endpoints', { body: hook });
  expect(subscribed.status, JSON.stringify(subscribed.body)).toBe(200);
  const statuses = new Set<number>();
  const watched: typeof request = async (...sent) => {
    const answer = await request(...sent);
    statuses.add(answer.status);
    return answer;
  };
  const shops = openShops({ ...shop, request: watched });
  await waitUntil(() => shops.paid.length > 6, patience);
  const readFeed = async (after: string) =>
    (await request('GET', `/api/webhook/events?limit=100${after}`)).body;
  const { cursor } = await readFeed('');

  const soldId = crypto.randomUUID();
  const open = { body: { customerId: 'c', orderId: 'o', amount: 5, expiresIn: 36e5 } };
  const like = (await request('POST', '/api/payments/process-payment', open)).body.paymentRequestId;
  await changeHere(
    `insert into payment_request select (jsonb_populate_record(p, $3)).* from payment_request p
     where merchant_id = $1 and payment_request_id = $2`,
    [merchantId, like, JSON.stringify({ environment: 'PRODUCTION', payment_request_id: soldId })],
  );
  const pausedMs = await checks.move(merchantId);
  const before = shops.paid.length;
  await waitUntil(() => shops.paid.length > before + 3, patience);
  await shops.stop();
  paid = shops.paid;
  process.stdout.write(
    `a pause of ${pausedMs} ms; ${shops.created.length} created, ${paid.length} paid, 0 lost\n`,
  );
  expect(pausedMs).toBeLessThan(pauseWithinMs);
  expect([...statuses].filter((status) => ![200, 503].includes(status))).toEqual([]);
  await shops.expectNothingLost();
  await checks.expectWhole(merchantId);
  const [paidOnce] = await changeThere(
    `select count(*) = count(distinct payment_request_id) as is_so
     from attempt where merchant_id = $1 and status = 'COMPLETED'`,
    [merchantId],
  );
  expect(paidOnce).toEqual({ is_so: true });

  const { productionSecret: secret } = shop;
  expect((await request('GET', '/api/webhook/events?after=now', { secret })).status).toBe(200);
  const sold = await changeThere(
    'select environment from payment_request where payment_request_id = $1',
    [soldId],
  );
  expect(sold).toEqual([{ environment: 'PRODUCTION' }]);

  // The first address shows old links and those that were made in the other cell.
  for (const id of [paid[0], paid.at(-1)]) {
    const page = await request('GET', `/pay?paymentRequestId=${id}`, { secret: null });
    expect(page.status).toBe(200);
  }
  expect((await readFeed(`&after=${cursor}`)).data.length).toBeGreaterThan(0);
  // What was being sent in the pause is sent again when its lease has ended.
  await waitUntil(
    () => {
      const told = receiver.received.map(({ body }) => body).join();
      const untold = paid.filter((id) => !told.includes(id));
      if (untold.length > 0) throw new Error(`nobody was told of ${untold.join()}`);
      return true;
    },
    { withinMs: 100_000 },
  );
  await receiver.close();

  const members = await changeThere(
    `select p.name, p.email, p.is_operator, c.password_hash from membership m join person p using (person_id)
     left join person_credential c using (person_id) where m.merchant_id = $1 order by 2`,
    [merchantId],
  );
  expect(members).toEqual([
    { name: 'Somebody', email: 'known@shop.example', is_operator: false, password_hash: null },
    { name: 'Member', email: 'new@shop.example', is_operator: false, password_hash: 'a hash' },
  ]);
}, 240_000);

const findHaproxy = (): string | null => {
  try {
    return execFileSync('sh', ['-c', 'command -v haproxy'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
};

const startProxy = async (program: string): Promise<{ url: string; child: ChildProcess }> => {
  const { folder } = cells.sandbox;
  const [map, port, dead] = [join(folder, 'cells.map'), await findTestPort(), await findTestPort()];
  await writeFile(map, (await cells.operate(['cell-map'])).out);
  const shipped = new URL('../../deploy/high-availability/haproxy-cells.cfg', import.meta.url);
  const { host } = new URL(cells.other.url);
  const text = (await readFile(fileURLToPath(shipped), 'utf8'))
    .replace(/ +(user|group) haproxy\n/g, '')
    .replaceAll('/etc/haproxy/cells.map', map)
    .replace(':443 ssl crt /etc/haproxy/florin.pem', `127.0.0.1:${port}`)
    .replaceAll('two.pay.example.com', host)
    // Nothing that reaches the other cell has passed the first.
    .replace('10.0.0.21:3000', `127.0.0.1:${dead}`)
    .replace('10.0.0.31:3000', host);
  const path = join(folder, 'haproxy.cfg');
  await writeFile(path, text);
  const child = spawn(program, ['-db', '-f', path], { stdio: 'ignore' });
  return { url: `http://127.0.0.1:${port}`, child };
};

const haproxy = findHaproxy();
if (haproxy !== null)
  test('a map leads secrets and links past the first cell', async () => {
    const { url, child } = await startProxy(haproxy);
    const ask = async (path: string, secret: string | null) => {
      const headers = new Headers(secret === null ? [] : [['authorization', `Bearer ${secret}`]]);
      return (await fetch(`${url}${path}`, { headers })).status;
    };
    try {
      const status = `/api/payments/v1/payment-status/${paid[0]}`;
      await waitUntil(async () => (await ask(status, shop.secret)) === 200, patience);
      expect(await ask('/api/webhook/events', shop.secret)).toBe(200);
      expect(await ask(`/pay?paymentRequestId=${paid[0]}`, null)).toBe(200);
      expect(await ask('/api/webhook/events', cells.sandbox.secret)).toBe(503);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

test('a cell that knows nothing of a move gets no rows of it, and opens nothing', async () => {
  const was = 'update cell_move set move_id = $2 where merchant_id = $1 returning move_id';
  const [move] = await changeHere('select move_id from cell_move where merchant_id = $1', [
    shop.merchantId,
  ]);
  await changeThere(was, [shop.merchantId, crypto.randomUUID()]);
  expect(await refusal(shop.merchantId)).toContain('knows nothing of this move');
  await changeHere(`update cell_move set status = 'PAUSED' where merchant_id = $1`, [
    shop.merchantId,
  ]);
  const cancelled = await cells.operate(['cancel-move', shop.merchantId]);
  expect(cancelled.said).toContain('knows nothing of this move');
  await changeHere(`update cell_move set status = 'GONE' where merchant_id = $1`, [
    shop.merchantId,
  ]);
  await changeThere(was, [shop.merchantId, move.move_id]);
});

test('what stays behind is removed, and the merchant is still reached by the first address', async () => {
  // As after a move back that was cancelled before it had reached this cell.
  await changeThere(
    `update cell_move set status = 'CANCELLED', version = version + 1, move_id = gen_random_uuid(),
       was_here = true where merchant_id = $1`,
    [shop.merchantId],
  );
  const removed = await cells.operate(['remove-moved', shop.merchantId]);
  expect(removed, removed.said).toMatchObject({ code: 0 });
  const left = [...(await countRows(cells.sandbox.databaseUrl, [shop.merchantId]))];
  expect(left.filter(([, { own }]) => own > 0).map(([table]) => table)).toEqual([
    ...['access_secret', 'merchant', 'public_id', 'secret_directory'],
  ]);
  const page = `/pay?paymentRequestId=${paid[0]}`;
  expect((await shop.request('GET', page, { secret: null })).status).toBe(200);
  const status = await shop.request('GET', `/api/payments/v1/payment-status/${paid[0]}`);
  expect(status.body.status).toBe('COMPLETED');
  const verified = await cells.operate(['moves']);
  expect(verified.out).toMatch(new RegExp(`${shop.merchantId}  \\d+  GONE`));
});
