import { request } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { lookInto } from '../../../../test/harness/invariants/look-into.ts';
import { openReceiver } from '../../../../test/harness/open-receiver.ts';
import { openSandbox, type Sandbox } from '../../../../test/harness/open-sandbox.ts';
import { testBankAccounts } from '../../../../test/harness/open-test-service.ts';
import { createMerchant } from '../merchants/index.ts';
import { fence } from './store/carry-rows.ts';

let sandbox: Sandbox;
let other: Awaited<ReturnType<typeof openReceiver>>;
let neighbour: string;
let paid: string;
beforeAll(async () => {
  [sandbox, other] = await Promise.all([openSandbox(), openReceiver()]);
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
    `insert into cell_move (merchant_id, move_id, status, address, moved_by)
     values ($1, gen_random_uuid(), 'PREPARING', $2, 'a test')`,
    [sandbox.tenant.merchantId, new URL(other.url).origin],
  );
  await fence(client, sandbox.tenant.merchantId);
  await client.end();
}, 60_000);
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
const becomes = (status: string) =>
  lookInto(sandbox.databaseUrl, (client) =>
    client.query('update cell_move set status = $1 where merchant_id = $2', [
      status,
      sandbox.tenant.merchantId,
    ]),
  );

const seen = statement<{ merchantId: string }, { requests: number }>(
  'test_cell_requests',
  sql('merchantId')`
   select count(*)::int as requests from payment_request where merchant_id = :merchantId`,
);
const seenByWork = async () =>
  (await sandbox.tools.database.system(seen, { merchantId: sandbox.tenant.merchantId }))[0]
    ?.requests;

describe('a merchant that is moved', () => {
  test('is served while it is copied', async () => {
    await becomes('COPYING');
    expect([(await pay()).status, (await read()).status]).toEqual([200, 200]);
    expect(await seenByWork()).toBe(2);
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

  test('is neither read nor written in the cell that it comes to, before that has opened', async () => {
    await becomes('ARRIVING');
    expect([(await pay()).status, (await read()).status]).toEqual([503, 503]);
    expect(await seenByWork()).toBe(0);
    expect((await pay(neighbour)).status).toBe(200);
  });
});

describe('what is asked for a merchant that has gone', () => {
  const last = () => other.received.at(-1);
  beforeAll(async () => {
    await becomes('GONE');
    other.answer(({ path }, reply) => {
      reply.statusCode = path.startsWith('/api/payments/process') ? 201 : 200;
      reply.setHeader('content-type', 'application/json');
      reply.setHeader('set-cookie', ['a=1', 'b=2']);
      reply.end('{"from": "the other cell"}');
    });
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
        'x-forwarded-for': '203.0.113.9, 127.0.0.1',
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

  test('is led there with a secret that was made there', async () => {
    const made = await createMerchant(
      { ...sandbox.tools, database: { ...sandbox.tools.database, system: async () => [] } },
      { businessName: 'Made there', bankAccounts: testBankAccounts },
    );
    const secret = made.secrets.SANDBOX.secret;
    const answer = await sandbox.request('GET', '/api/webhook/events', { secret });
    expect([answer.status, last()?.path]).toEqual([200, '/api/webhook/events']);
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

  test('is unavailable while its cell does not answer', async () => {
    await other.close();
    expect(await read()).toMatchObject({ status: 503, body: { name: 'UNAVAILABLE' } });
    expect((await pay(neighbour)).status).toBe(200);
  });
});
