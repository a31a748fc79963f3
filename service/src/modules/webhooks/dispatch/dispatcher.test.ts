import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { draftOf, emit, emitMany } from '../../../../../test/webhooks/emit.ts';
import { openReceiver, type Receiver, status } from '../../../../../test/webhooks/receiver.ts';
import { type Dispatcher, merchantRoutes, sandboxRoutes, startDispatcher } from '../index.ts';

let service: TestService;
let dispatcher: Dispatcher;
const receivers: Receiver[] = [];

beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => [...merchantRoutes(tools), ...sandboxRoutes(tools)],
  });
  dispatcher = startDispatcher(service.tools);
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(async () => {
  await dispatcher.stop();
  await service.close();
});

/** A merchant with one v2 endpoint at a receiver of its own. */
const subscribe = async (changes: object = {}) => {
  const receiver = await openReceiver();
  receivers.push(receiver);
  const merchant = await service.newMerchant();
  const { secret, secretId } = merchant.secrets.SANDBOX;
  const body = { url: receiver.url, events: ['PAYMENTS_STATUS'], ...changes };
  const path = '/api/webhook/v2/endpoints';
  const { body: endpoint } = await service.request('POST', path, { secret, body });
  const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
  return {
    receiver,
    tenant,
    secret,
    secretId,
    endpointId: endpoint.id as string,
    read: async () => (await service.request('GET', `${path}/${endpoint.id}`, { secret })).body,
    rotate: async () =>
      (await service.request('POST', '/api/sandbox/webhook/signing-secret', { secret })).body
        .signingSecret as string,
  };
};

test('an event arrives once, signed with the access secret of its payment, and the endpoint says so', async () => {
  const { receiver, tenant, secret, secretId, read } = await subscribe();
  const draft = draftOf({ signingSecretId: secretId });
  dispatcher.wake(await emit(service.database, tenant, [draft]));
  const [received] = await waitUntil(() => receiver.received.length > 0 && receiver.received);
  const { signatureHash, signature, ...rest } = JSON.parse(received?.body ?? '');
  expect(rest).toEqual(draft.body);
  const hex = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  expect(signatureHash).toBe(hex(`ORDER-1|${draft.resourceId}`));
  expect(signature).toBe(hex('ORDER-1|FLR1'));
  expect(received?.headers['x-service-event-id']).toBe(draft.eventId);
  const seen = await waitUntil(async () => {
    const endpoint = await read();
    return endpoint.lastDeliveredAt && endpoint;
  });
  expect(seen.failureCount).toBe(0);
  expect(receiver.received).toHaveLength(1);
});

test('an event that nobody was woken for arrives too', async () => {
  const { receiver, tenant } = await subscribe();
  await emitMany(service.database, tenant, 20);
  await waitUntil(() => receiver.received.length === 20);
});

test('a failed delivery comes again with the same bytes and the next attempt number', async () => {
  const { receiver, tenant, read } = await subscribe();
  receiver.answer((one, reply) => {
    reply.writeHead(one.headers['x-service-attempt'] === '1' ? 500 : 200).end();
  });
  dispatcher.wake(await emitMany(service.database, tenant, 1));
  const [first, second] = await waitUntil(
    () => receiver.received.length === 2 && receiver.received,
  );
  expect(second?.body).toBe(first?.body);
  expect([first, second].map((one) => one?.headers['x-service-attempt'])).toEqual(['1', '2']);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(3_900);
  const endpoint = await waitUntil(async () => {
    const seen = await read();
    return seen.lastDeliveredAt && seen;
  });
  expect(endpoint.failureCount).toBe(1);
}, 30_000);

test('the first signing secret switches to v2 at once, a rotation lets both secrets sign', async () => {
  const { receiver, tenant, rotate } = await subscribe();
  const deliver = async () => {
    const before = receiver.received.length;
    dispatcher.wake(await emitMany(service.database, tenant, 1));
    await waitUntil(() => receiver.received.length > before);
    const received = receiver.received.at(-1);
    if (!received) throw new Error('nothing came');
    return received;
  };
  const v1 = await deliver();
  expect(v1.headers['x-service-signature']).toBeUndefined();
  expect(JSON.parse(v1.body)).not.toHaveProperty('eventType');
  const [first, second] = [await rotate(), ''];
  const v2 = await deliver();
  expect(second).toBe('');
  expect(JSON.parse(v2.body)).toMatchObject({ eventType: 'PAYMENTS_STATUS' });
  expect(JSON.parse(v2.body)).not.toHaveProperty('signatureHash');
  const key = Buffer.from(first.slice('whsec_'.length), 'base64');
  const digest = createHmac('sha256', key).update(v2.body).digest('hex');
  expect(v2.headers['x-service-signature']).toBe(`v1=${digest}`);
  const verify = (secret: string, one: typeof v2) =>
    new Webhook(secret).verify(one.body, one.headers as Record<string, string>);
  expect(verify(first, v2)).toBeTruthy();
  const next = await rotate();
  const rotated = await deliver();
  expect(verify(first, rotated)).toBeTruthy();
  expect(verify(next, rotated)).toBeTruthy();
  const old = createHmac('sha256', key).update(rotated.body).digest('hex');
  expect(rotated.headers['x-service-signature-previous']).toBe(`v1=${old}`);
});

test('the credentials of an endpoint are sent', async () => {
  const { receiver, tenant } = await subscribe({
    authentication: { username: 'ünder', password: 'pa:ss' },
  });
  dispatcher.wake(await emitMany(service.database, tenant, 1));
  const [received] = await waitUntil(() => receiver.received.length > 0 && receiver.received);
  const basic = Buffer.from('ünder:pa:ss').toString('base64');
  expect(received?.headers.authorization).toBe(`Basic ${basic}`);
});

test('what was pending for a deleted endpoint is not sent', async () => {
  const { receiver, tenant, secret, endpointId } = await subscribe();
  receiver.answer(status(500));
  dispatcher.wake(await emitMany(service.database, tenant, 1));
  await waitUntil(() => receiver.received.length === 1);
  await service.request('DELETE', `/api/webhook/v2/endpoints/${endpointId}`, { secret });
  const { rows } = await waitUntil(async () => {
    const rows = await states(endpointId);
    return rows.length > 0 && rows.every((state) => state === 'CANCELLED') && { rows };
  });
  expect(rows).toEqual(['CANCELLED']);
  expect(receiver.received).toHaveLength(1);
}, 30_000);

const states = async (endpointId: string): Promise<readonly string[]> => {
  const { statement } = await import('#platform/database/statement.ts');
  const ask = statement<{ endpointId: string }, { state: string }>(
    'test_states',
    'select state from delivery where endpoint_id = :endpointId order by delivery_id',
  );
  return (await service.database.system(ask, { endpointId })).map(({ state }) => state);
};
