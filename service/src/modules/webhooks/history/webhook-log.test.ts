import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReceiver, type Receiver, status } from '../../../../../test/harness/open-receiver.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { draftOf, emit, emitMany } from '../../../../../test/webhooks/emit.ts';
import { sql } from '../../../platform/database/sql.ts';
import { statement } from '../../../platform/database/statement.ts';
import { webhookRoutes } from '../../sandbox/index.ts';
import { type Dispatcher, merchantRoutes, startDispatcher, streamWebhookEvents } from '../index.ts';

let service: TestService;
let dispatcher: Dispatcher;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  service = await openTestService({
    routes: (tools) => [...merchantRoutes(tools), ...webhookRoutes(tools)],
  });
  streamWebhookEvents(service.app, { ...service.tools, ...service.authentication });
  dispatcher = startDispatcher(service.tools);
});
afterAll(async () => {
  await dispatcher.stop();
  await service.close();
  await receiver.close();
});

const subscribe = async (changes: object = {}) => {
  const merchant = await service.newMerchant();
  const { secret } = merchant.secrets.SANDBOX;
  const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
  const body = { url: receiver.url, events: ['PAYMENTS_STATUS'], ...changes };
  const made = await service.request('POST', '/api/webhook/v2/endpoints', { secret, body });
  const path = `/api/webhook/v2/endpoints/${made.body.id}`;
  const get = async (rest = '') =>
    (await service.request('GET', `${path}/deliveries${rest}`, { secret })).body;
  const replay = (input: object) =>
    service.request('POST', `${path}/replay`, { secret, body: input });
  return { tenant, secret, endpointId: made.body.id as string, path, get, replay };
};

const finished = async (get: () => Promise<{ data: { state: string }[] }>, count: number) =>
  waitUntil(async () => {
    const { data } = await get();
    const isDone = data.length === count && data.every(({ state }) => state !== 'PENDING');
    return isDone && data;
  });

test('a delivery lists its attempts, with credentials and signatures masked', async () => {
  const { tenant, get, secret } = await subscribe({
    authentication: { username: 'till', password: 'hunter2' },
  });
  await service.request('POST', '/api/sandbox/webhook/signing-secret', { secret });
  receiver.answer((_, reply) => {
    reply.writeHead(200, { 'set-cookie': 'session=1', 'x-shop': 'yes' }).end('thanks');
  });
  const draft = draftOf();
  dispatcher.wake(await emit(service.database, tenant, [draft]));
  await finished(get, 1);
  const [listed] = (await get()).data;
  expect(listed).toMatchObject({
    eventId: draft.eventId,
    eventType: 'PAYMENTS_STATUS',
    resourceId: draft.resourceId,
    kind: 'LIVE',
    state: 'DELIVERED',
    attempts: 1,
    lastStatus: 200,
    lastError: null,
    nextAttemptAt: null,
  });
  const whole = await get(`/${listed.deliveryId}`);
  expect(JSON.parse(whole.body)).toEqual(draft.body);
  expect(whole.log).toHaveLength(1);
  const [attempt] = whole.log;
  expect(attempt).toMatchObject({
    attempt: 1,
    outcome: 'DELIVERED',
    status: 200,
    superseded: false,
  });
  expect(attempt.responseBody).toBe('thanks');
  expect(attempt.responseHeaders).toMatchObject({ 'x-shop': 'yes', 'set-cookie': '[hidden]' });
  expect(attempt.requestHeaders).toMatchObject({
    authorization: '[hidden]',
    'x-service-signature': '[hidden]',
    'x-service-event-id': draft.eventId,
  });
  expect(JSON.stringify(whole)).not.toContain('hunter2');
  expect(attempt.bodySha256).toMatch(/^[0-9a-f]{64}$/);
  expect(attempt.totalMs).toBeGreaterThan(0);
});

test('a card number echoed by a receiver is stored as its last four digits', async () => {
  const { tenant, get } = await subscribe();
  const card = '4000\u00a00000\u00a00000\u00a00127';
  receiver.answer((_, reply) => {
    const body = `{"card":4242424242424242,"note":"${card} \u00e9"}`.padEnd(16_368, '.');
    reply.writeHead(200, { 'x-echo': '4000-0000-0000-0127' }).end(`${body}5555555555554444`);
  });
  dispatcher.wake(await emit(service.database, tenant, [draftOf()]));
  const [{ deliveryId }] = (await finished(get, 1)) as unknown as [{ deliveryId: string }];
  const [attempt] = (await get(`/${deliveryId}`)).log;
  expect(attempt.responseHeaders['x-echo']).toBe('****0127');
  const stored = attempt.responseBody.replace(/\.+$/, '');
  expect(stored).toBe('{"card":"****4242","note":"****0127 \u00e9"}');
});

test('one delivery, one event and a range are replayed under the same event id', async () => {
  const { tenant, get, replay } = await subscribe();
  receiver.answer(status(200));
  const from = new Date(Date.now() - 60_000).toISOString();
  dispatcher.wake(await emitMany(service.database, tenant, 3));
  const [first] = await finished(get, 3);
  const { deliveryId, eventId } = first as unknown as { deliveryId: string; eventId: string };
  const before = receiver.received.length;
  expect((await replay({ deliveryId })).body).toEqual({ scheduled: 1, nextAfter: null });
  await finished(get, 4);
  expect((await replay({ eventId })).body.scheduled).toBe(1);
  await finished(get, 5);
  const again = receiver.received.slice(before).map((one) => one.headers['x-service-event-id']);
  expect(again).toEqual([eventId, eventId]);
  expect((await replay({ from, perSecond: 1000 })).body.scheduled).toBe(3);
  await finished(get, 8);
  expect((await get(`?eventId=${eventId}`)).data).toHaveLength(4);
  expect((await get('?limit=5')).nextBefore).toBe((await get('?limit=5')).data[4].deliveryId);
});

test('only deliveries that were given up are replayed on request', async () => {
  const { tenant, get, replay, endpointId } = await subscribe();
  receiver.answer(status(200));
  dispatcher.wake(await emitMany(service.database, tenant, 3));
  await finished(get, 3);
  const giveUp = statement<{ endpointId: string }, never>(
    'test_give_up',
    sql('endpointId')`
   update delivery set state = 'EXHAUSTED' where delivery_id =
       (select min(delivery_id) from delivery where endpoint_id = :endpointId)`,
  );
  await service.database.system(giveUp, { endpointId });
  expect((await replay({ onlyFailed: true })).body.scheduled).toBe(1);
  await finished(get, 4);
  expect((await replay({ onlyFailed: true })).body.scheduled).toBe(0);
});

test('pending deliveries are not sent twice, and an unknown filter is rejected', async () => {
  const { tenant, get, replay, path } = await subscribe();
  receiver.answer(status(500));
  dispatcher.wake(await emitMany(service.database, tenant, 1));
  await waitUntil(async () => (await get()).data[0]?.attempts === 1);
  const { deliveryId } = (await get()).data[0];
  expect((await replay({ deliveryId })).status).toBe(409);
  expect((await replay({ from: '2020-01-01T00:00:00Z' })).body.scheduled).toBe(0);
  expect((await replay({ deliveryId: '999999' })).status).toBe(404);
  expect((await replay({})).status).toBe(400);
  expect((await replay({ deliveryId, onlyFailed: true })).status).toBe(400);
  expect((await replay({ from: '2020-01-01T00:00:00+23:59' })).status).toBe(200);
  for (const from of ['0000-01-01T00:00:00Z', '2026-12-31T23:59:60Z', '0001-01-01T00:00:00+23:59'])
    expect(await replay({ from })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'from', message: 'from must be a moment since the year 1' }] },
    });
  const stranger = (await service.newMerchant()).secrets;
  const secret = stranger.SANDBOX.secret;
  const other = await service.request('GET', `${path}/deliveries`, { secret });
  expect(other.status).toBe(404);
});

test('ten concurrent replays make one delivery', async () => {
  const { tenant, get, replay } = await subscribe();
  receiver.answer(status(200));
  dispatcher.wake(await emitMany(service.database, tenant, 1));
  const [first] = await finished(get, 1);
  receiver.answer(() => undefined);
  const { eventId } = first as unknown as { eventId: string };
  const replies = await Promise.all(Array.from({ length: 10 }, () => replay({ eventId })));
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
  expect(replies.filter((reply) => reply.status === 409)).toHaveLength(9);
  receiver.answer(status(200));
});

test('the feed gives every event once, in order, from any cursor', async () => {
  const { tenant, secret } = await subscribe();
  const drafts = Array.from({ length: 5 }, () => draftOf());
  for (const draft of drafts) await emit(service.database, tenant, [draft]);
  const read = async (after?: string) =>
    (
      await service.request('GET', `/api/webhook/events?limit=2${after ? `&after=${after}` : ''}`, {
        secret,
      })
    ).body;
  const seen: string[] = [];
  let after: string | undefined;
  // An event is shown once no older transaction is open, of whomever on the same server.
  await waitUntil(async () => {
    const { data, cursor } = await read(after);
    seen.push(...data.map(({ eventId }: { eventId: string }) => eventId));
    after = cursor;
    return seen.length >= drafts.length;
  });
  expect(seen).toEqual(drafts.map(({ eventId }) => eventId));
  expect((await read(after)).data).toEqual([]);
  expect((await read('nonsense')).errors).not.toEqual([]);
  expect((await read('now')).data).toEqual([]);
});

type Seen = { readonly id: string; readonly eventId: string };

const seenIn = (frame: string): readonly Seen[] => {
  const [, id] = /^id: (.*)$/m.exec(frame) ?? [];
  const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
  return id && data ? [{ id, eventId: JSON.parse(data).eventId }] : [];
};

const streamOf = async (address: string, secret: string, lastId?: string) => {
  const ending = new AbortController();
  const reply = await fetch(`${address}/api/webhook/events/stream`, {
    headers: { authorization: `Bearer ${secret}`, ...(lastId ? { 'last-event-id': lastId } : {}) },
    signal: ending.signal,
  });
  const seen: Seen[] = [];
  const read = async () => {
    let text = '';
    for await (const chunk of reply.body ?? []) {
      text += Buffer.from(chunk).toString('utf8');
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      seen.push(...frames.flatMap(seenIn));
    }
  };
  const reading = read().catch(() => undefined);
  return {
    status: reply.status,
    seen,
    close: async () => {
      ending.abort();
      await reading;
    },
  };
};

test('the stream continues where a reader left off and misses nothing', async () => {
  const address = await service.listen();
  const { tenant, secret } = await subscribe();
  const drafts = Array.from({ length: 6 }, () => draftOf());
  const emitAll = async (some: typeof drafts) => {
    for (const draft of some) await emit(service.database, tenant, [draft]);
  };
  await emitAll(drafts.slice(0, 2));
  const first = await streamOf(address, secret);
  await waitUntil(() => first.seen.length === 2);
  await emitAll(drafts.slice(2, 3));
  await waitUntil(() => first.seen.length === 3);
  await first.close();
  await emitAll(drafts.slice(3, 5));
  const second = await streamOf(address, secret, first.seen.at(-1)?.id);
  await waitUntil(() => second.seen.length === 2);
  await emitAll(drafts.slice(5));
  await waitUntil(() => second.seen.length === 3);
  const all = [...first.seen, ...second.seen].map(({ eventId }) => eventId);
  expect(all).toEqual(drafts.map(({ eventId }) => eventId));
  await second.close();
  expect((await streamOf(address, 'wrong')).status).toBe(401);
});
