import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as dashboard from '../../../../contract/dashboard/index.ts';
import type { Operation } from '../../../../contract/operation.ts';
import { signIn } from '../../../../test/harness/dashboard/sign-in.ts';
import { openReceiver, type Receiver } from '../../../../test/harness/open-receiver.ts';
import { waitUntil } from '../../../../test/harness/wait-until.ts';
import { draftOf, emit } from '../../../../test/webhooks/emit.ts';
import { merchantRoutes as customerRoutes } from '../customers/index.ts';
import {
  type Dispatcher,
  startDispatcher,
  merchantRoutes as webhookRoutes,
} from '../webhooks/index.ts';
import { type MemberPages, openMemberPages } from './test/open-member-pages.ts';

let members: MemberPages;
let dispatcher: Dispatcher;
let receiver: Receiver;
let endpointId: string;
beforeAll(async () => {
  receiver = await openReceiver();
  members = await openMemberPages((tools) => [...webhookRoutes(tools), ...customerRoutes(tools)]);
  dispatcher = startDispatcher(members.tools);
  const body = { url: receiver.url, events: ['PAYMENTS_STATUS'] };
  endpointId = (await members.request('POST', '/api/webhook/v2/endpoints', { body })).body.id;
});
afterAll(async () => {
  await dispatcher.stop();
  await members.close();
  await receiver.close();
});

const healthOf = async () => {
  const { data } = (await members.call(dashboard.listWebhookHealth)).body;
  return data.find((endpoint: { endpointId: string }) => endpoint.endpointId === endpointId);
};

describe('webhooks', () => {
  test('say why they fail, and are delivered again once the receiver is mended', async () => {
    receiver.answer((_, reply) => void reply.writeHead(404).end('no such page'));
    const draft = draftOf();
    dispatcher.wake(await emit(members.database, members.sandbox, [draft]));
    const failed = await waitUntil(async () => {
      const { data } = (
        await members.call(dashboard.listDeliveries, { query: { state: 'FAILING' } })
      ).body;
      return data[0];
    });
    expect(failed).toMatchObject({
      eventId: draft.eventId,
      endpointId,
      state: 'PENDING',
      lastStatus: 404,
      url: receiver.url,
      why: { title: 'There is nothing at this address (404).' },
    });
    const params = { endpointId, deliveryId: failed.deliveryId };
    const whole = await members.call(dashboard.getDelivery, { params });
    expect(whole.body.log[0]).toMatchObject({
      responseBody: 'no such page',
      status: 404,
      why: { title: 'There is nothing at this address (404).' },
    });
    const failing = await waitUntil(async () => {
      const found = await healthOf();
      return found.health === 'FAILING' && found;
    });
    expect(failing).toMatchObject({
      status: 'ACTIVE',
      pending: 1,
      attempts: 1,
      delivered: 0,
      why: { title: 'There is nothing at this address (404).' },
      hours: [{ attempts: 1, delivered: 0 }],
    });

    receiver.answer((_, reply) => void reply.end('ok'));
    const paused = { params: { endpointId }, body: { status: 'PAUSED' } };
    expect((await members.call(dashboard.setEndpointStatus, paused)).body.status).toBe('PAUSED');
    expect((await healthOf()).status).toBe('PAUSED');
    const active = { params: { endpointId }, body: { status: 'ACTIVE' } };
    await members.call(dashboard.setEndpointStatus, active);
    const isDue = `update delivery set due_at = now() where state = 'PENDING'`;
    await members.database.system<object, object>({ name: '', text: isDue, valueNames: [] }, {});
    dispatcher.wake([endpointId]);
    const healthy = await waitUntil(async () => {
      const found = await healthOf();
      return found.delivered === 1 && found;
    });
    expect(healthy).toMatchObject({
      health: 'HEALTHY',
      why: null,
      attempts: 2,
      failingSince: null,
    });
    expect(healthy.slowestMs).toBeGreaterThanOrEqual(healthy.averageMs);
    const replay = `/api/webhook/v2/endpoints/${endpointId}/replay`;
    const replayed = await members.request('POST', replay, { body: { eventId: draft.eventId } });
    expect(replayed.body.scheduled).toBe(1);
    dispatcher.wake([endpointId]);
    const [query, byId] = [{ resourceId: draft.resourceId }, { search: draft.resourceId }];
    await waitUntil(async () => {
      const { data } = (await members.call(dashboard.listDeliveries, { query: byId })).body;
      const states = data.map(({ kind, state }: { kind: string; state: string }) => [kind, state]);
      expect(states).toEqual([
        ['REPLAY', 'DELIVERED'],
        ['LIVE', 'DELIVERED'],
      ]);
      return true;
    });
    for (const asked of [query, byId]) {
      const { data } = (await members.call(dashboard.listEvents, { query: asked })).body;
      const deliveries = { total: 2, delivered: 2, pending: 0, failed: 0 };
      expect(data).toMatchObject([{ eventId: draft.eventId, orderId: null, deliveries }]);
    }
  });

  test('that were missed are counted from the first failure, and a replay delivers those', async () => {
    const merchant = await members.newMerchant();
    const { merchantId } = merchant;
    const { secret } = merchant.secrets.SANDBOX;
    const { headers } = await signIn(members.tools, { merchantId });
    const tenant = { merchantId, environment: 'SANDBOX' } as const;
    const emitAt = (...minutes: readonly number[]) =>
      emit(
        members.database,
        tenant,
        minutes.map((minute) => draftOf({ occurredAt: at(minute) })),
      );
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
    await emitAt(0, 1);
    const body = { url: receiver.url, events: ['PAYMENTS_STATUS'] };
    const path = '/api/webhook/v2/endpoints';
    const { id } = (await members.request('POST', path, { secret, body })).body;
    const missed = () =>
      members.call(dashboard.getMissedEvents, { params: { endpointId: id }, merchantId, headers });
    expect((await missed()).body).toEqual({ count: 0, since: null, isWhole: true });
    await emitAt(2, 3);
    const giveUp = `update delivery set state = 'EXHAUSTED' where endpoint_id = '${id}'`;
    await members.database.system<object, object>({ name: '', text: giveUp, valueNames: [] }, {});
    const since = at(2).toISOString();
    expect((await missed()).body).toEqual({ count: 2, since, isWhole: true });
    const range = { secret, body: { onlyMissed: true, from: since } };
    const replayed = await members.request('POST', `${path}/${id}/replay`, range);
    expect(replayed.body.scheduled).toBe(2);
    await members.request('DELETE', `${path}/${id}`, { secret });
    expect((await missed()).status).toBe(404);
  });

  test('are asked for with a cursor that no page has named', async () => {
    const digits = '9'.repeat(19);
    const money = await members.call(dashboard.listMoneyRows, {
      query: { figure: 'SOLD', before: `${digits}.${digits}` },
    });
    expect([money.status, money.body.errors[0].field]).toEqual([400, 'before']);
    const before = `${digits}.ffffffff-ffff-ffff-ffff-ffffffffffff`;
    expect((await members.call(dashboard.listEvents, { query: { before } })).status).toBe(200);
  });

  test('and events are listed page by page, the newest first, by their type', async () => {
    const drafts = [draftOf(), draftOf(), draftOf()];
    for (const draft of drafts)
      dispatcher.wake(await emit(members.database, members.sandbox, [draft]));
    const wanted = drafts.map(({ eventId }) => eventId).reverse();
    for (const operation of [dashboard.listEvents, dashboard.listDeliveries]) {
      const found: string[] = [];
      let before: string | null = null;
      do {
        const page = { limit: 1, eventType: 'PAYMENTS_STATUS', ...(before ? { before } : {}) };
        const { body } = await members.call(operation, { query: page });
        found.push(...body.data.map(({ eventId }: { eventId: string }) => eventId));
        before = body.nextBefore;
      } while (before && found.length < 3);
      expect(found).toEqual(wanted);
      const none = await members.call(operation, { query: { eventType: 'REFUND_STATUS' } });
      expect(none.body).toEqual({ data: [], nextBefore: null });
    }
  });
});

describe('access secrets', () => {
  test('are created, changed, used and revoked by a member', async () => {
    const body = { name: 'Till 1', webOrigins: ['https://shop.example'], scope: 'READ' };
    const made = await members.call(dashboard.createSecret, { body });
    const { secret, secretId } = made.body;
    expect(made.status).toBe(200);
    const params = { secretId };
    const changes = { name: 'Till 2', redirectUrl: 'https://shop.example/back', webOrigins: [] };
    expect((await members.call(dashboard.changeSecret, { params, body: changes })).status).toBe(
      200,
    );
    const refused = await members.call(dashboard.changeSecret, {
      params,
      body: { redirectUrl: 'javascript:alert(1)' },
    });
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'redirectUrl']);
    expect((await members.request('GET', '/api/customers', { secret })).status).toBe(200);
    const shown = await waitUntil(async () => {
      const { data } = (await members.call(dashboard.listSecrets)).body;
      const found = data.find((one: { secretId: string }) => one.secretId === secretId);
      return found.lastUsedAt && found;
    });
    expect(shown).toMatchObject({ ...changes, scope: 'READ', lastFour: secret.slice(-4) });
    expect(JSON.stringify(shown)).not.toContain(secret);
    expect((await members.call(dashboard.revokeSecret, { params })).status).toBe(200);
    expect(members.forgotten).toContain(secretId);
    expect(
      (await members.call(dashboard.changeSecret, { params, body: { name: 'A' } })).status,
    ).toBe(404);
  });

  test('are all reached and revoked, also the 205th, and the newest stands first', async () => {
    const merchant = await members.newMerchant();
    const { headers } = await signIn(members.tools, { merchantId: merchant.merchantId });
    const call = (operation: Operation, sent: object = {}) =>
      members.call(operation, { headers, merchantId: merchant.merchantId, ...sent });
    const { createSecret, listSecrets, revokeSecret } = dashboard;
    const made: string[] = [merchant.secrets.SANDBOX.secretId];
    while (made.length < 205)
      made.push(
        (await call(createSecret, { body: { name: `Till ${made.length}` } })).body.secretId,
      );
    const listed = async (page: number): Promise<readonly string[]> => {
      const { data } = (await call(listSecrets, { query: { page, size: 100 } })).body;
      return data.map((each: { secretId: string }) => each.secretId);
    };
    const reached = [await listed(0), await listed(1), await listed(2)].flat();
    expect(reached[0]).toBe(made.at(-1));
    expect(new Set(reached)).toEqual(new Set(made));
    const [first = '', last = ''] = [made[0], made.at(-1)];
    for (const secretId of [first, last])
      expect((await call(revokeSecret, { params: { secretId } })).status).toBe(200);
  });

  test('are no business of another merchant', async () => {
    const other = await members.newMerchant();
    const { headers } = await signIn(members.tools, { merchantId: other.merchantId });
    const own = members.merchant.secrets.SANDBOX.secretId;
    const params = { secretId: own };
    const sent = { params, headers, merchantId: other.merchantId, body: { name: 'Mine' } };
    expect((await members.call(dashboard.changeSecret, sent)).status).toBe(404);
    expect((await members.call(dashboard.revokeSecret, { ...sent, body: {} })).status).toBe(404);
    expect((await members.call(dashboard.listSecrets, { headers })).status).toBe(404);
    const delivery = {
      params: { endpointId, deliveryId: '1' },
      headers,
      merchantId: other.merchantId,
    };
    expect((await members.call(dashboard.getDelivery, delivery)).status).toBe(404);
  });
});

test('the signing secret is shown once, staged and promoted', async () => {
  const rotated = await members.call(dashboard.rotateSigning, { body: {} });
  expect(rotated.body.signingSecret).toMatch(/^whsec_/);
  expect((await members.call(dashboard.stageSigning, { body: {} })).status).toBe(200);
  const roles = async () =>
    (await members.call(dashboard.listSigningSecrets)).body.data.map(
      ({ role }: { role: string }) => role,
    );
  expect((await roles()).toSorted()).toEqual(['CURRENT', 'NEXT']);
  expect((await members.call(dashboard.promoteSigning, { body: {} })).status).toBe(200);
  expect((await roles()).toSorted()).toEqual(['CURRENT', 'PREVIOUS']);
});

describe('the request log', () => {
  test('shows what a program called, without body or whole address', async () => {
    const bad = await members.request('POST', '/api/customers', {
      body: { email: 'ada@example.com' },
      headers: { 'x-forwarded-for': '203.0.113.77' },
    });
    expect(bad.status).toBe(400);
    await members.requestLog.drain();
    const { data } = (await members.call(dashboard.listRequests, { query: { result: 'REFUSED' } }))
      .body;
    expect(data[0]).toMatchObject({
      requestId: bad.headers['x-request-id'],
      method: 'POST',
      operation: 'createCustomer',
      path: '/api/customers',
      status: 400,
      failure: 'BAD_REQUEST',
      addressPrefix: '127.0.0.0/24',
      secretName: 'Default',
    });
    expect(JSON.stringify(data)).not.toContain('ada@example.com');
    const query = { requestId: data[0].requestId };
    expect((await members.call(dashboard.listRequests, { query })).body.data).toHaveLength(1);
  });

  test('holds nothing of a call without a caller', async () => {
    await members.requestLog.drain();
    const logged = async () =>
      (await members.call(dashboard.listRequests, { query: { limit: 100 } })).body.data.length;
    const before = await logged();
    expect((await members.request('GET', '/api/customers', { secret: null })).status).toBe(401);
    await members.requestLog.drain();
    expect(await logged()).toBe(before);
  });
});
