import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLongRun } from '../../../../../test/harness/is-long-run.ts';
import { openReceiver, status } from '../../../../../test/harness/open-receiver.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { draftOf, emit, emitMany } from '../../../../../test/webhooks/emit.ts';
import { sql } from '../../../platform/database/sql.ts';
import { statement } from '../../../platform/database/statement.ts';
import { webhookRoutes } from '../../sandbox/index.ts';
import { type Dispatcher, merchantRoutes, startDispatcher } from '../index.ts';

let service: TestService;
let dispatcher: Dispatcher;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => [...merchantRoutes(tools), ...webhookRoutes(tools)],
  });
  dispatcher = startDispatcher(service.tools);
});
afterAll(async () => {
  await dispatcher.stop();
  await service.close();
});

const endpoints = '/api/webhook/v2/endpoints';

const subscribe = async (changes: object = {}) => {
  const receiver = await openReceiver();
  const merchant = await service.newMerchant();
  const { secret } = merchant.secrets.SANDBOX;
  const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
  const call = (method: string, path: string, body?: object) =>
    service.request(method, path, { secret, ...(body ? { body } : {}) });
  const made = await call('POST', endpoints, {
    url: receiver.url,
    events: ['PAYMENTS_STATUS'],
    ...changes,
  });
  const id = made.body.id as string;
  return {
    receiver,
    secret,
    tenant,
    id,
    call,
    set: async (word?: 'PAUSED' | 'ACTIVE') => {
      const path = `/api/sandbox/webhook/endpoints/${id}/status`;
      return (await call('POST', path, word && { status: word })).body;
    },
    emit: async (count: number) => {
      dispatcher.wake(await emitMany(service.database, tenant, count));
    },
    log: async () => (await call('GET', `${endpoints}/${id}/deliveries?limit=100`)).body.data,
    replay: (body: object) => call('POST', `${endpoints}/${id}/replay`, body),
    /** What each call scheduled, until there is nothing more. */
    pages: async (body: object) => {
      const scheduled: number[] = [];
      for (let after: string | null | undefined; after !== null && scheduled.length < 10; ) {
        const input = { ...body, perSecond: 1000, ...(after ? { after } : {}) };
        const reply = await call('POST', `${endpoints}/${id}/replay`, input);
        scheduled.push(reply.body.scheduled);
        after = reply.body.nextAfter;
      }
      return scheduled;
    },
  };
};

const idsAt = ({ received }: Awaited<ReturnType<typeof openReceiver>>) =>
  received.map(({ headers }) => headers['x-service-event-id']);

test('a paused endpoint gets nothing, and later what it missed', async () => {
  const { receiver, tenant, id, call, set, emit: emitOwn, log, replay } = await subscribe();
  expect(await set()).toEqual({
    id,
    url: receiver.url,
    status: 'ACTIVE',
    pausedAt: null,
    missedSince: null,
  });
  await emitOwn(1);
  await waitUntil(async () => (await log())[0]?.state === 'DELIVERED');
  const paused = await set('PAUSED');
  expect(paused.status).toBe('PAUSED');
  expect(Date.parse(paused.pausedAt) - Date.parse(paused.missedSince)).toBe(120_000);
  expect(await set('PAUSED')).toEqual(paused);
  expect(await set()).toEqual(paused);
  const drafts = [draftOf(), draftOf(), draftOf({ isTest: true })];
  expect(await emit(service.database, tenant, drafts)).toEqual([]);
  expect(await log()).toHaveLength(1);
  expect(await replay({ onlyMissed: true })).toMatchObject({
    status: 409,
    body: { name: 'INVALID_STATE' },
  });
  const resumed = await set('ACTIVE');
  expect(resumed).toMatchObject({ status: 'ACTIVE', pausedAt: null });
  expect(resumed.missedSince).toBe(paused.missedSince);
  const from = resumed.missedSince;
  expect((await replay({ onlyMissed: true, from })).body).toEqual({
    scheduled: 2,
    nextAfter: null,
  });
  await waitUntil(() => receiver.received.length === 3);
  const missed = drafts.slice(0, 2).map(({ eventId }) => eventId);
  expect(idsAt(receiver).slice(1).sort()).toEqual(missed.sort());
  await waitUntil(async () =>
    (await log()).every((one: { state: string }) => one.state !== 'PENDING'),
  );
  expect((await replay({ onlyMissed: true, from })).body.scheduled).toBe(0);
  expect((await replay({ from })).body.scheduled).toBe(3);
  const shown = (await call('GET', `${endpoints}/${id}`)).body;
  expect(Object.keys(shown)).not.toContain('status');
  await receiver.close();
});

test('deliveries due during a pause are cancelled and can be replayed, page by page', async () => {
  const { receiver, set, emit: emitOwn, pages, id } = await subscribe();
  // A chunk or page has a thousand.
  const count = isLongRun ? 1_500 : 30;
  receiver.answer((_, reply) => reply.socket?.destroy());
  await emitOwn(1);
  await waitUntil(() => receiver.received.length === 1);
  const before = receiver.received.length;
  await dispatcher.stop();
  await emitOwn(count);
  const paused = await set('PAUSED');
  const claims = await attemptsOf(id);
  dispatcher = startDispatcher(service.tools);
  await waitUntil(async () => (await statesOf(id)).CANCELLED === count + 1);
  expect(receiver.received).toHaveLength(before);
  // Eight are claimed with each chunk of a thousand.
  expect((await attemptsOf(id)) - claims).toBeLessThan(100);
  receiver.answer(status(200));
  await set('ACTIVE');
  const from = paused.missedSince;
  expect(await pages({ onlyMissed: true, from })).toEqual(isLongRun ? [1_000, 501] : [count + 1]);
  // Also while its own replays are delivered: it walks over events, of which it makes none.
  await waitUntil(() => receiver.received.length > before + count / 3);
  expect(await pages({ from })).toHaveLength(isLongRun ? 2 : 1);
  await receiver.close();
});

test('a paused endpoint keeps its slots, and changes of its events take effect later', async () => {
  const { receiver, tenant, call, set, id } = await subscribe();
  const create = () => call('POST', endpoints, { url: receiver.url, events: ['PAYMENTS_STATUS'] });
  await set('PAUSED');
  expect([await create(), await create(), await create()].map((reply) => reply.status)).toEqual([
    200, 200, 400,
  ]);
  const events = ['REFUND_STATUS', 'EXPIRED_STATUS'];
  expect((await call('PUT', `${endpoints}/${id}`, { events })).status).toBe(200);
  const refund = draftOf({ eventType: 'REFUND_STATUS' });
  expect(await emit(service.database, tenant, [refund])).toEqual([]);
  await set('ACTIVE');
  const other = draftOf({ eventType: 'REFUND_STATUS' });
  expect(await emit(service.database, tenant, [other])).toEqual([id]);
  await receiver.close();
});

test('changes of events during pauses and resumes lose no subscription', async () => {
  const { receiver, tenant, call, set, id } = await subscribe();
  for (let round = 0; round < 6; round += 1) {
    const events = round % 2 ? ['PAYMENTS_STATUS'] : ['REFUND_STATUS', 'EXPIRED_STATUS'];
    await set('PAUSED');
    await Promise.all([set('ACTIVE'), call('PUT', `${endpoints}/${id}`, { events })]);
    const eventType = round % 2 ? 'PAYMENTS_STATUS' : 'EXPIRED_STATUS';
    expect(await emit(service.database, tenant, [draftOf({ eventType })])).toEqual([id]);
  }
  await receiver.close();
});

test('a test event needs an active endpoint; a v1 webhook is paused by its id', async () => {
  const { receiver, call, set } = await subscribe({ events: ['REFUND_STATUS'] });
  const trigger = (eventType: string) => call('POST', '/api/webhook/test', { eventType });
  expect((await trigger('REFUND_STATUS')).status).toBe(200);
  await set('PAUSED');
  const refused = await trigger('REFUND_STATUS');
  expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'eventType']);
  const body = { url: receiver.url, event: 'EXPIRED_STATUS' };
  const { webhookId } = (await call('POST', '/api/webhook/merchant', body)).body;
  const path = `/api/sandbox/webhook/endpoints/${webhookId}/status`;
  expect((await call('POST', path, { status: 'PAUSED' })).body.id).toBe(webhookId);
  expect((await trigger('EXPIRED_STATUS')).status).toBe(400);
  await call('DELETE', `/api/webhook/${webhookId}/merchant`);
  expect((await call('POST', path, { status: 'ACTIVE' })).status).toBe(404);
  await receiver.close();
});

const countStates = statement<{ endpointId: string }, { state: string; count: bigint }>(
  'test_count_states',
  sql(
    'endpointId',
  )`select state, count(*) as count from delivery where endpoint_id = :endpointId group by 1`,
);

const statesOf = async (endpointId: string): Promise<Record<string, number>> => {
  const rows = await service.database.system(countStates, { endpointId });
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
};

const sumAttempts = statement<{ endpointId: string }, { attempts: bigint }>(
  'test_sum_attempts',
  sql('endpointId')`select sum(attempts) as attempts from delivery where endpoint_id = :endpointId`,
);

const attemptsOf = async (endpointId: string): Promise<number> => {
  const [row] = await service.database.system(sumAttempts, { endpointId });
  return Number(row?.attempts ?? 0);
};
