import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { limits } from '@florin/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { signForCell } from '#platform/http/cell-marks.ts';
import { lookInto } from '../../../../test/harness/invariants/look-into.ts';
import { type Answer, openReceiver } from '../../../../test/harness/open-receiver.ts';
import { openSandbox, type Sandbox } from '../../../../test/harness/open-sandbox.ts';
import { testBankAccounts } from '../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { creditJobs } from '../credits/index.ts';
import { createMerchant } from '../merchants/index.ts';
import { askCell } from './ask-cell.ts';
import { fence } from './store/carry-rows.ts';

let sandbox: Sandbox;
let other: Awaited<ReturnType<typeof openReceiver>>;
let neighbour: string;
let paid: string;
const otherId = '0192d1c6-2222-7000-8000-000000000002';
beforeAll(async () => {
  [sandbox, other] = await Promise.all([openSandbox({ RATE_LIMITS: 'on' }), openReceiver()]);
  const made = await createMerchant(sandbox.tools, {
    businessName: 'Next Door',
    bankAccounts: testBankAccounts,
  });
  neighbour = made.secrets.SANDBOX.secret;
  paid = (await pay()).body.paymentRequestId;
  await sandbox.stopWorker();
  const client = new pg.Client({
    connectionString: sandbox.databaseUrl,
    options: '-c search_path=florin -c lock_timeout=2000',
  });
  await client.connect();
  await client.query(
    `with other as (insert into cell (cell_id, address) values ($2, $3))
     insert into cell_move (merchant_id, move_id, version, status, other_cell_id, moved_by)
     values ($1, gen_random_uuid(), 2, 'PREPARING', $2, 'a test')`,
    [sandbox.tenant.merchantId, otherId, new URL(other.url).origin],
  );
  await fence(client, sandbox.tenant.merchantId);
  await client.end();
});
afterAll(async () => {
  await sandbox.close();
  await other.close();
});

const order = { customerId: 'c', orderId: 'o', amount: 5, expiresIn: 36e5 };
const pay = (secret?: string) =>
  sandbox.request('POST', '/api/payments/process-payment', {
    body: order,
    ...(secret ? { secret } : {}),
  });
const read = () => sandbox.request('GET', `/api/payments/v1/payment-status/${paid}`);
const change = (text: string, values: readonly unknown[] = []) =>
  lookInto(sandbox.databaseUrl, async (client) => (await client.query(text, [...values])).rows);
const becomes = (status: string) =>
  change('update cell_move set status = $1 where merchant_id = $2', [
    status,
    sandbox.tenant.merchantId,
  ]);
const seen = statement<{ merchantId: string }, { requests: number }>(
  'test_cell_requests',
  sql('merchantId')`
   select count(*)::int as requests from payment_request where merchant_id = :merchantId`,
);
const seenByWork = async () =>
  (await sandbox.tools.database.system(seen, sandbox.tenant))[0]?.requests;

describe('a merchant that is moved', () => {
  test('is served while it is copied', async () => {
    await becomes('COPYING');
    expect([(await pay()).status, (await read()).status]).toEqual([200, 200]);
    expect(await seenByWork()).toBe(2);
  });

  test('waits where a server may have lost that it went, until somebody has asked', async () => {
    await change('update cluster_epoch set confirmed_at = null');
    expect([(await pay()).status, (await read()).status]).toEqual([503, 200]);
    expect(await seenByWork()).toBe(0);
    expect((await pay(neighbour)).status).toBe(200);
    await change('update cluster_epoch set confirmed_at = now()');
  });

  test('is read and not written in the pause, and work leaves its rows', async () => {
    await becomes('PAUSED');
    const refused = await pay();
    expect(refused).toMatchObject({ status: 503, body: { name: 'UNAVAILABLE' } });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect((await read()).status).toBe(200);
    expect(await seenByWork()).toBe(0);
    expect((await pay(neighbour)).status).toBe(200);
  });

  test('keeps its members in the pause', async () => {
    const join = `insert into membership (merchant_id, person_id, role)
      values ($1, gen_random_uuid(), 'owner')`;
    const values = [sandbox.tenant.merchantId];
    await expect(change(join, values)).rejects.toThrow('is being moved');
    await becomes('COPYING');
    await expect(change(join, values)).rejects.toThrow('foreign key');
  });

  test('is served by the cell that it leaves, until the one that it comes to has opened', async () => {
    await becomes('ARRIVING');
    expect([(await pay()).status, (await read()).status]).toEqual([200, 200]);
    expect(other.received).toHaveLength(2);
    expect(await seenByWork()).toBe(0);
    expect((await pay(neighbour)).status).toBe(200);
  });
});

const answerAll: Answer = ({ path }, reply) => {
  reply.statusCode = path.startsWith('/api/payments/process') ? 201 : 200;
  reply.setHeader('content-type', 'application/json');
  reply.setHeader('set-cookie', ['a=1', 'b=2']);
  reply.end('{"from": "the other cell"}');
};

describe('what is asked for a merchant that has gone', () => {
  const last = () => other.received.at(-1);
  beforeAll(async () => {
    await becomes('GONE');
    other.answer(answerAll);
  });

  test('is led to its cell as it came, with the answer of that', async () => {
    const answer = await sandbox.request('POST', '/api/payments/process-payment?x=%20y', {
      body: order,
      headers: { 'idempotency-key': 'k', 'x-forwarded-for': '203.0.113.9' },
    });
    expect(answer).toMatchObject({ status: 201, body: { from: 'the other cell' } });
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(last()).toMatchObject({
      path: '/api/payments/process-payment?x=%20y',
      body: JSON.stringify(order),
      headers: {
        authorization: `Bearer ${sandbox.secret}`,
        'idempotency-key': 'k',
        'x-forwarded-for': '203.0.113.9',
        'florin-forwarded': expect.stringMatching(/^\d{13} 127\.0\.0\.1 [0-9a-f]{64}$/),
        'x-request-id': answer.headers.get('x-request-id') ?? expect.any(String),
      },
    });
  });

  test.each([
    ['an old link', () => `/pay?paymentRequestId=${paid}`],
    [
      'a link that was made there',
      () => '/pay?paymentRequestId=0192d1c6-1111-7000-8000-000000000001',
    ],
    ['the return of a bank', () => '/bank-return?state=0123456789abcdefghjk&code=c'],
    ['a short link', () => '/p/AAAAAAAAAAAAAAAAA'],
  ])('is led there without a secret: %s', async (_, path) => {
    const answer = await sandbox.request('GET', path(), { secret: null });
    expect([answer.status, last()?.path]).toEqual([200, path()]);
  });

  const madeThere = async () => {
    const database = { ...sandbox.tools.database, system: async () => [] };
    const named = { businessName: 'Made there', bankAccounts: testBankAccounts };
    return (await createMerchant({ ...sandbox.tools, database }, named)).secrets.SANDBOX.secret;
  };
  const listEvents = (secret: string) => sandbox.request('GET', '/api/webhook/events', { secret });

  test('is led there with a secret that was made there', async () => {
    const secret = await madeThere();
    const asked = limits.refusedSecretsPerSecond + 5;
    const answers = [];
    // The first answer tells that it is known there: from then on it counts as refused no more.
    for (let at = 0; at < asked; at += 1) answers.push((await listEvents(secret)).status);
    expect(answers).toEqual(Array(asked).fill(200));
    expect(last()?.path).toBe('/api/webhook/events');
  });

  const askedThere = async (unknownStatus: number, paths: readonly (() => Promise<number>)[]) => {
    other.answer((_, reply) => {
      reply.statusCode = unknownStatus;
      reply.end('{}');
    });
    const before = other.received.length;
    // All within one second of the limit, however slow the machine is.
    const clock = vi.spyOn(sandbox.tools.clock, 'now').mockReturnValue(new Date());
    const statuses = await Promise.all(paths.map((ask) => ask()));
    clock.mockRestore();
    other.answer(answerAll);
    expect(new Set(statuses)).toEqual(new Set([unknownStatus, 429]));
    const led = other.received.length - before;
    expect(led).toBe(statuses.filter((status) => status === unknownStatus).length);
  };

  test('is asked for there no more often than a secret is refused here, or an id looked for', async () => {
    const secrets = await Promise.all(Array.from({ length: 60 }, madeThere));
    const list = (secret: string) => async () => (await listEvents(secret)).status;
    await askedThere(401, secrets.map(list));
    const page = () => `/pay?paymentRequestId=${randomUUID()}`;
    const open = () => sandbox.request('GET', page(), { secret: null });
    await askedThere(
      404,
      Array(60).fill(async () => (await open()).status),
    );
  });

  test('is led there with the bytes of a form', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = `paymentRequestId=${paid}&bank=a+b`;
    await fetch(`${sandbox.url}/pay/start`, { method: 'POST', headers: type, body: form });
    expect(last()).toMatchObject({ path: '/pay/start', body: form });
  });

  test('is led on once, and never back', async () => {
    const before = other.received.length;
    const answer = await sandbox.request('GET', `/api/payments/v1/payment-status/${paid}`, {
      headers: { 'florin-forwarded': '1' },
    });
    expect(answer).toMatchObject({ status: 503, body: { name: 'UNAVAILABLE' } });
    expect(answer.body.message).toContain('served by another cell');
    expect(other.received.length).toBe(before);
  });

  test('is led to its cell alone, whatever host an address names', async () => {
    const asked = other.received.length;
    const named = await new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(sandbox.url);
      const path = `http://127.0.0.1:1/pay?paymentRequestId=${paid}`;
      const call = request({ hostname, port, path }, ({ statusCode }) => resolve(statusCode));
      call.on('error', reject).end();
    });
    expect(named).toBe(503);
    expect(other.received).toHaveLength(asked);
  });

  test('is believed of another cell alone who calls', async () => {
    const path = '/api/webhook/events';
    const ms = String(Date.now());
    const from = '203.0.113.77';
    const mark = signForCell(sandbox.tools.secrets, 'led on', ms, from, 'GET', path);
    const ask = (of: string) =>
      sandbox.request('GET', path, {
        secret: neighbour,
        headers: { 'florin-forwarded': [ms, from, of].join(' ') },
      });
    await ask('0'.repeat(64));
    expect(await addressesSeen()).not.toContain('203.0.113.0/24');
    expect((await ask(mark)).status).toBe(200);
    await waitUntil(async () => (await addressesSeen()).includes('203.0.113.0/24'));
  });

  const addressesSeen = async () =>
    (await change('select distinct address_prefix as at from request_log')).map(({ at }) => at);

  test('is money that a person looks at, where it comes late', async () => {
    const ids = ['LATECREDIT', 'LATEDEBIT'];
    for (const id of ids)
      await change(
        `insert into public_id (public_id, kind, merchant_id, environment, target_id)
         values ($1, 'ATTEMPT', $2, 'SANDBOX', $3)`,
        [id, sandbox.tenant.merchantId, paid],
      );
    await change(`insert into account_credit
        (environment, entry_key, amount_pence, end_to_end_id, is_returned)
      values ('SANDBOX', 'late', 500, 'LATECREDIT', false)`);
    await change(`insert into account_debit (environment, entry_key, amount_pence, end_to_end_id)
      values ('SANDBOX', 'late', 500, 'LATEDEBIT')`);
    for (const job of creditJobs(sandbox.tools)) await job.run();
    const cases = await change(
      `select kind, evidence ->> 'reason' as reason, evidence ->> 'endToEndId' as id
       from operator_case where evidence ->> 'endToEndId' = any($1) order by 1`,
      [ids],
    );
    expect(cases).toEqual([
      { kind: 'CREDIT_UNMATCHED', reason: 'MERCHANT_IN_OTHER_CELL', id: 'LATECREDIT' },
      { kind: 'DEBIT_UNEXPLAINED', reason: null, id: 'LATEDEBIT' },
    ]);
    const open = `select from account_credit where due_at is not null
      union all select from account_debit where due_at is not null`;
    expect(await change(open)).toEqual([]);
  });

  test('is unavailable while its cell does not answer', async () => {
    await other.close();
    expect(await read()).toMatchObject({ status: 503, body: { name: 'UNAVAILABLE' } });
    expect((await pay(neighbour)).status).toBe(200);
  });
});

test('what a cell says of merchants, it says to another cell alone', async () => {
  const asked = await sandbox.request('GET', '/api/cells/sides', {
    headers: { 'florin-cell': `${Date.now()} nonce ${'0'.repeat(64)}` },
  });
  expect(asked).toMatchObject({ status: 401, body: { message: 'Only another cell asks this.' } });
  const own = await askCell(sandbox.tools, sandbox.url, {});
  const sides = [{ version: 2, status: 'GONE', otherCellId: otherId }];
  expect(own).toMatchObject({ sides, masterKeys: sandbox.tools.secrets.keyIds, clientIds: {} });
});
