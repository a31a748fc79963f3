import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { webhookRoutes } from '../../sandbox/index.ts';
import { merchantRoutes } from '../index.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => [...merchantRoutes(tools), ...webhookRoutes(tools)],
  });
});
afterAll(() => service.close());

const url = 'https://shop.example/hooks';
const endpoints = '/api/webhook/v2/endpoints';

const newSecret = async (environment: 'SANDBOX' | 'PRODUCTION' = 'SANDBOX') =>
  (await service.newMerchant()).secrets[environment].secret;

test('v1: is created, listed and deleted, one event per call', async () => {
  const secret = await newSecret();
  const body = { url, event: 'PAYMENTS_STATUS', authentication: null, ignored: true };
  const created = await service.request('POST', '/api/webhook/merchant', { secret, body });
  expect(created.status).toBe(200);
  expect(created.body).toEqual({
    webhookId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    url,
    event: 'PAYMENTS_STATUS',
  });
  const listed = await service.request('GET', '/api/webhook/merchant', { secret });
  expect(listed.body).toEqual([created.body]);
  const path = `/api/webhook/${created.body.webhookId}/merchant`;
  const deleted = await service.request('DELETE', path, { secret });
  expect([deleted.status, deleted.body]).toEqual([200, { webhookId: created.body.webhookId }]);
  expect((await service.request('DELETE', path, { secret })).status).toBe(404);
  expect((await service.request('GET', '/api/webhook/merchant', { secret })).body).toEqual([]);
});

test.each([
  [{ kind: 'basic' }],
  [{ username: 'u' }],
  [{ username: 'u', password: 'p', clientId: 'c' }],
])('v1: refuses credentials that it could not send: %o', async (authentication) => {
  const secret = await newSecret();
  const body = { url, event: 'PAYMENTS_STATUS', authentication };
  const reply = await service.request('POST', '/api/webhook/merchant', { secret, body });
  expect([reply.status, reply.body.name]).toEqual([400, 'BAD_REQUEST']);
  expect((await service.request('GET', '/api/webhook/merchant', { secret })).body).toEqual([]);
});

test('v1: allows one webhook per event type', async () => {
  const secret = await newSecret();
  const body = { url, event: 'EXPIRED_STATUS' };
  const [first, second] = [
    await service.request('POST', '/api/webhook/merchant', { secret, body }),
    await service.request('POST', '/api/webhook/merchant', { secret, body }),
  ];
  expect([first.status, second.status]).toEqual([200, 400]);
  expect(second.body.errors).toEqual([expect.objectContaining({ field: 'event' })]);
});

const create = (secret: string, changes: object = {}) =>
  service.request('POST', endpoints, {
    secret,
    body: { url, events: ['PAYMENTS_STATUS'], ...changes },
  });

test('v2: shows an endpoint without its credentials', async () => {
  const secret = await newSecret();
  const { status, body } = await create(secret, {
    events: ['REFUND_STATUS', 'PAYMENTS_STATUS', 'REFUND_STATUS'],
    description: 'Till',
    authentication: { username: 'till', password: 'p:w' },
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    id: expect.any(String),
    url,
    description: 'Till',
    environment: 'SANDBOX',
    events: [
      { event: 'PAYMENTS_STATUS', label: 'Payment Status' },
      { event: 'REFUND_STATUS', label: 'Refund Status' },
    ],
    hasAuthentication: true,
    authenticationType: 'BASIC',
    ratePerSecond: null,
    failureCount: 0,
    lastDeliveredAt: null,
  });
  expect((await service.request('GET', `${endpoints}/${body.id}`, { secret })).body).toEqual(body);
});

test('v2: a rate is shown, stored, changed and removed', async () => {
  const body = { url, events: ['PAYMENTS_STATUS'], ratePerSecond: 20 };
  const { secret } = (await service.newMerchant()).secrets.SANDBOX;
  const made = await service.request('POST', endpoints, { secret, body });
  expect(made).toMatchObject({ status: 200, body: { ratePerSecond: 20 } });
  const put = (changes: object) =>
    service.request('PUT', `${endpoints}/${made.body.id}`, { secret, body: changes });
  expect((await put({ description: 'till' })).body).toMatchObject({ ratePerSecond: 20 });
  expect((await put({ ratePerSecond: 1 })).body).toMatchObject({ ratePerSecond: 1 });
  expect((await put({ ratePerSecond: null })).body).toMatchObject({ ratePerSecond: null });
  for (const ratePerSecond of [0, 1_001, 1.5, '5'])
    expect(await put({ ratePerSecond })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'ratePerSecond' }] },
    });
});

test('v2: lists the newest first, page by page', async () => {
  const secret = await newSecret();
  const made: string[] = [];
  for (const event of ['PAYMENTS_STATUS', 'EXPIRED_STATUS', 'REFUND_STATUS'])
    made.push((await create(secret, { events: [event] })).body.id);
  const page = (await service.request('GET', `${endpoints}?page=1&size=2`, { secret })).body;
  expect(page).toEqual({
    data: [expect.objectContaining({ id: made[0] })],
    totalCount: 3,
    page: 1,
    size: 2,
  });
  expect((await service.request('GET', `${endpoints}?size=51`, { secret })).status).toBe(400);
});

test('v2: changes what is sent, keeps the rest, and never the url', async () => {
  const secret = await newSecret();
  const { id } = (
    await create(secret, {
      description: 'old',
      authentication: { clientId: 'c', clientSecret: 's', authUrl: 'https://shop.example/token' },
    })
  ).body;
  const put = (body: object) => service.request('PUT', `${endpoints}/${id}`, { secret, body });
  const changed = await put({ events: ['EXPIRED_STATUS', 'REFUND_STATUS'] });
  expect(changed.body).toMatchObject({ description: 'old', authenticationType: 'OAUTH2' });
  expect(changed.body.events.map(({ event }: { event: string }) => event)).toEqual([
    'EXPIRED_STATUS',
    'REFUND_STATUS',
  ]);
  const bare = await put({ authentication: null, description: null });
  expect(bare.body).toMatchObject({
    hasAuthentication: false,
    authenticationType: null,
    description: null,
  });
  expect((await put({ url: 'https://other.example/' })).status).toBe(400);
  expect((await put({ url })).status).toBe(200);
  expect((await put({ events: [] })).status).toBe(400);
  const deleted = await service.request('DELETE', `${endpoints}/${id}`, { secret });
  expect(deleted.body).toEqual({ id });
  expect((await put({ description: 'gone' })).status).toBe(404);
});

test('v2: gives three slots per event type to fifty concurrent calls', async () => {
  const secret = await newSecret();
  const input = await Promise.all(Array.from({ length: 50 }, () => create(secret)));
  const statuses = input.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  expect(statuses.filter((status) => status === 400)).toHaveLength(47);
  const { body } = await service.request('GET', endpoints, { secret });
  expect(body.totalCount).toBe(3);
});

test('v1: gives its slot to one of twenty, and v2 the other two, concurrently', async () => {
  const secret = await newSecret();
  const body = { url, event: 'PAYMENTS_STATUS' };
  const v1 = () => service.request('POST', '/api/webhook/merchant', { secret, body });
  const input = await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      const { status } = await (at % 2 ? v1() : create(secret));
      return { version: at % 2 ? 1 : 2, status };
    }),
  );
  expect(input.every(({ status }) => status === 200 || status === 400)).toBe(true);
  const won = input.filter(({ status }) => status === 200);
  expect(won).toHaveLength(3);
  expect(won.filter(({ version }) => version === 1).length).toBeLessThanOrEqual(1);
});

test('v2: counts v1 among the three slots, also on update', async () => {
  const secret = await newSecret();
  const body = { url, event: 'PAYMENTS_STATUS' };
  await service.request('POST', '/api/webhook/merchant', { secret, body });
  await create(secret);
  await create(secret);
  expect((await create(secret)).status).toBe(400);
  const { id } = (await create(secret, { events: ['REFUND_STATUS'] })).body;
  const events = ['REFUND_STATUS', 'PAYMENTS_STATUS'];
  const put = await service.request('PUT', `${endpoints}/${id}`, { secret, body: { events } });
  expect(put.status).toBe(400);
  const stored = await service.request('GET', `${endpoints}/${id}`, { secret });
  expect(stored.body.events).toHaveLength(1);
});

test('v2: keeps environments and merchants apart', async () => {
  const { secrets } = await service.newMerchant();
  const { id } = (await create(secrets.SANDBOX.secret)).body;
  const get = (secret: string) => service.request('GET', `${endpoints}/${id}`, { secret });
  const mismatch = await get(secrets.PRODUCTION.secret);
  expect([mismatch.status, mismatch.body.name]).toEqual([400, 'ENVIRONMENT_MISMATCH']);
  expect((await get(await newSecret())).status).toBe(404);
});

test('v2: lists the event types', async () => {
  const { body } = await service.request('GET', '/api/webhook/v2/event-types');
  expect(body).toContainEqual({ event: 'POS_PAYMENT_STATUS', label: 'POS Payment Status' });
  expect(body).toHaveLength(4);
});

test('v2: subscribes to POS_PAYMENT_STATUS only with a signing secret', async () => {
  const secret = await newSecret();
  const events = ['POS_PAYMENT_STATUS'];
  expect((await create(secret, { events })).status).toBe(400);
  const rotate = () => service.request('POST', '/api/sandbox/webhook/signing-secret', { secret });
  const first = await rotate();
  expect(first.body.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(first.body.previousExpiresAt).toBeNull();
  expect((await create(secret, { events })).status).toBe(200);
  const second = await rotate();
  expect(second.body.signingSecret).not.toBe(first.body.signingSecret);
  expect(Date.parse(second.body.previousExpiresAt)).toBeGreaterThan(Date.now());
});

test.each([
  [{ authentication: {} }],
  [{ authentication: { username: 'u' } }],
  [{ authentication: { username: 'a:b', password: 'p' } }],
  [{ authentication: { username: 'u', password: 'p', clientId: 'c' } }],
  [{ authentication: { clientId: 'c', clientSecret: 's', authUrl: 'https://10.0.0.1/' } }],
  [{ events: [] }],
  [{ events: ['OTHER'] }],
  [{ description: 'x'.repeat(101) }],
  [{ url: 'not an address' }],
])('v2 rejects %o', async (changes) => {
  const { status, body } = await create(service.sandboxSecret, changes);
  expect([status, body.name]).toEqual([400, 'BAD_REQUEST']);
  expect(body.errors).not.toEqual([]);
});

const register = async (environment: 'SANDBOX' | 'PRODUCTION', address: string) => {
  const secret = await newSecret(environment);
  const body = { url: address, events: ['PAYMENTS_STATUS'] };
  return (await service.request('POST', endpoints, { secret, body })).status;
};

test.each([
  'http://shop.example/',
  'https://127.0.0.1/',
  'https://localhost/',
  'https://0x7f.1/',
  'https://[::ffff:169.254.169.254]/',
  'https://10.0.0.8/',
  'https://user:pw@shop.example/',
  'https://shop.example/#part',
  'https://shop.example:25/',
  'ftp://shop.example/',
  'https://shop example/',
  `https://shop.example/${'x'.repeat(2048)}`,
])('an address is rejected in production: %s', async (address) =>
  expect(await register('PRODUCTION', address)).toBe(400),
);

test('an address may be http and local in the sandbox when the server is', async () => {
  expect(await register('SANDBOX', 'http://localhost:4000/hook')).toBe(200);
  expect(await register('SANDBOX', 'http://127.0.0.1:4000/hook')).toBe(200);
  expect(await register('SANDBOX', 'http://192.168.1.4:4000/hook')).toBe(400);
  expect(await register('PRODUCTION', 'https://shop.example:8443/hook?a=b')).toBe(200);
});
