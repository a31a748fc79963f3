import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { draftOf, emit } from '../../../../../test/webhooks/emit.ts';
import type { Tenant } from '../../../kernel/environment.ts';
import { systemClock } from '../../../platform/clock.ts';
import { sql } from '../../../platform/database/sql.ts';
import { statement } from '../../../platform/database/statement.ts';
import { streamSlots } from '../../../platform/http/rate/stream-slots.ts';
import { revokeSecret } from '../../merchants/access/store.ts';
import { streamWebhookEvents } from '../index.ts';

const expireSecret = statement<
  { readonly merchantId: string; readonly secretId: string },
  { readonly secret_id: string }
>(
  'test_expire_secret',
  sql('merchantId', 'secretId')`
   update access_secret set expires_at = clock_timestamp()
   where merchant_id = :merchantId::uuid and secret_id = :secretId::uuid returning secret_id`,
  { guardedBy: 'test' },
);

const path = '/api/webhook/events/stream';
let service: TestService;
let address: string;
let aheadMs = 0;
beforeAll(async () => {
  const now = () => new Date(systemClock.now().getTime() + aheadMs);
  service = await openTestService({ clock: { ...systemClock, now } });
  streamWebhookEvents(service.app, {
    ...service.tools,
    ...service.authentication,
    streamSlots: streamSlots(2),
    drainMs: 20,
  });
  address = await service.listen();
});
afterAll(() => service.close());

const openStream = async (secret: string) => {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${secret}` };
  const reply = await fetch(`${address}${path}`, { headers, signal: leaving.signal });
  return { status: reply.status, reply, leave: () => leaving.abort() };
};

test('an address has a number of streams, and gets one back when another ends', async () => {
  const merchants = await Promise.all([service.newMerchant(), service.newMerchant()]);
  const [one = '', other = ''] = merchants.map(({ secrets }) => secrets.SANDBOX.secret);
  const [first, second] = [await openStream(one), await openStream(other)];
  expect([first.status, second.status]).toEqual([200, 200]);
  const { reply: refused } = await openStream(one);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
  expect(await refused.json()).toMatchObject({ name: 'RATE_LIMITED' });
  first.leave();
  const again = await waitUntil(async () => {
    const stream = await openStream(one);
    return stream.status === 200 && stream;
  });
  again.leave();
  second.leave();
});

describe('the stream ends with its secret', () => {
  const endOfStream = async (endSecret: (tenant: Tenant, secretId: string) => Promise<unknown>) => {
    const { merchantId, secrets } = await service.newMerchant();
    const tenant = { merchantId, environment: 'SANDBOX' } as const;
    const { secret, secretId } = secrets.SANDBOX;
    const { reply, leave } = await openStream(secret);
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();
    // As another process does it: the one that streams still knows the secret.
    await endSecret(tenant, secretId);
    aheadMs += 5_000;
    let hasEnded = false;
    const readOn = async () => {
      while (!(await reader?.read())?.done) hasEnded = false;
      hasEnded = true;
    };
    void readOn().catch(() => undefined);
    await waitUntil(async () => hasEnded, { withinMs: 5_000 });
    leave();
  };

  test('when it is revoked', async () => {
    const revoked = (tenant: Tenant, secretId: string) =>
      service.database.tenant(tenant.merchantId, revokeSecret, { ...tenant, secretId });
    await endOfStream(revoked);
  });

  test('when it expires', async () => {
    const expired = ({ merchantId }: Tenant, secretId: string) =>
      service.database.tenant(merchantId, expireSecret, { merchantId, secretId });
    await endOfStream(expired);
  });
});

test('HEAD of the stream ends, for who may read it', async () => {
  const secret = service.sandboxSecret;
  const reply = await service.request('HEAD', path, { secret });
  expect([reply.status, reply.headers['content-type']]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  expect((await service.request('HEAD', path, { secret: null })).status).toBe(401);
});

test('a reader that does not keep up is dropped', async () => {
  const { merchantId, secrets } = await service.newMerchant();
  const tenant = { merchantId, environment: 'SANDBOX' } as const;
  const { secret } = secrets.SANDBOX;
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  let isGone = false;
  socket
    .on('error', () => undefined)
    .on('close', () => {
      isGone = true;
    });
  const head = [`GET ${path} HTTP/1.1`, 'host: a', `authorization: Bearer ${secret}`];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(socket, 'readable');
  // It reads no more: in time the buffers in between are full.
  const body = { notes: 'x'.repeat(50_000) };
  await waitUntil(
    async () => {
      const drafts = Array.from({ length: 40 }, () => draftOf({ body }));
      await emit(service.database, tenant, drafts);
      // A socket that is not read learns of its end when it writes.
      socket.write('\r\n');
      return isGone;
    },
    { withinMs: 30_000 },
  );
});
