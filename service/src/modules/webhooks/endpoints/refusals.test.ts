import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { createAccessSecret } from '../../merchants/index.ts';
import { webhookRoutes } from '../../sandbox/index.ts';
import { merchantRoutes } from '../index.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => [...merchantRoutes(tools), ...webhookRoutes(tools)],
  });
});
afterAll(() => service.close());

const endpoints = '/api/webhook/v2/endpoints';
const v1Body = { url: 'https://shop.example/', event: 'REFUND_STATUS' };
const v2Body = { url: 'https://shop.example/', events: ['PAYMENTS_STATUS'] };

type Named = {
  readonly what: string;
  readonly method: string;
  readonly pathOf: (id: string) => string;
  readonly body?: object;
  readonly made?: { readonly path: string; readonly body: object };
};

const named: readonly Named[] = [
  { what: 'reading', method: 'GET', pathOf: (id) => `${endpoints}/${id}` },
  { what: 'changing', method: 'PUT', pathOf: (id) => `${endpoints}/${id}`, body: {} },
  { what: 'deleting', method: 'DELETE', pathOf: (id) => `${endpoints}/${id}` },
  { what: 'deliveries of', method: 'GET', pathOf: (id) => `${endpoints}/${id}/deliveries` },
  { what: 'a delivery of', method: 'GET', pathOf: (id) => `${endpoints}/${id}/deliveries/1` },
  {
    what: 'replaying to',
    method: 'POST',
    pathOf: (id) => `${endpoints}/${id}/replay`,
    body: { onlyFailed: true },
  },
  {
    what: 'deleting the v1 webhook',
    method: 'DELETE',
    pathOf: (id) => `/api/webhook/${id}/merchant`,
    made: { path: '/api/webhook/merchant', body: v1Body },
  },
];

const refusal = async (secret: string, method: string, path: string, body?: object) => {
  const reply = await service.request(method, path, { secret, ...(body ? { body } : {}) });
  return [reply.status, reply.body.name];
};

test.each(named)(
  '$what an endpoint rejects an unknown id, another environment and no secret',
  async ({
    method,
    pathOf,
    body,
    made: { path, body: created } = { path: endpoints, body: v2Body },
  }) => {
    const { secrets } = await service.newMerchant();
    const { secret } = secrets.SANDBOX;
    const made = await service.request('POST', path, { secret, body: created });
    const id = made.body.id ?? made.body.webhookId;
    const call = (by: string, one: string) => refusal(by, method, pathOf(one), body);
    expect(await call(secret, 'not-an-id')).toEqual([400, 'BAD_REQUEST']);
    expect(await call(secret, randomUUID())).toEqual([404, 'NOT_FOUND']);
    expect(await call(secrets.PRODUCTION.secret, id)).toEqual([400, 'ENVIRONMENT_MISMATCH']);
  },
);

test.each([
  ['POST', '/api/sandbox/webhook/signing-secret', { overlapHours: 169 }],
  ['POST', '/api/sandbox/webhook/signing-secret/next', []],
  ['POST', '/api/sandbox/webhook/signing-secret/promote', { overlapHours: -1 }],
  ['POST', `/api/sandbox/webhook/endpoints/${randomUUID()}/status`, { status: 'ASLEEP' }],
  ['GET', '/api/webhook/mails?limit=0', undefined],
  ['GET', '/api/webhook/events?limit=101', undefined],
  ['GET', `${endpoints}/${randomUUID()}/deliveries?before=x`, undefined],
])('%s %s rejects values out of bounds', async (method, path, body) => {
  expect(await refusal(service.sandboxSecret, method, path, body)).toEqual([400, 'BAD_REQUEST']);
});

test.each([
  'signing-secret',
  'signing-secret/next',
  'signing-secret/promote',
  `endpoints/${randomUUID()}/status`,
])('a production secret is rejected at /api/sandbox/webhook/%s', async (rest) => {
  const path = `/api/sandbox/webhook/${rest}`;
  expect(await refusal(service.productionSecret, 'POST', path)).toEqual([400, 'SANDBOX_ONLY']);
});

test('the status of an endpoint rejects an unknown id and one of production', async () => {
  const { secrets } = await service.newMerchant();
  const { secret } = secrets.PRODUCTION;
  const made = await service.request('POST', endpoints, { secret, body: v2Body });
  const call = (id: string) =>
    refusal(secrets.SANDBOX.secret, 'POST', `/api/sandbox/webhook/endpoints/${id}/status`);
  expect(await call(randomUUID())).toEqual([404, 'NOT_FOUND']);
  expect(await call(made.body.id)).toEqual([400, 'ENVIRONMENT_MISMATCH']);
});

test('a read-only secret registers nothing', async () => {
  const made = await createAccessSecret(service.tools, service.sandbox, { isReadOnly: true });
  const refused = await refusal(made.secret, 'POST', endpoints, v2Body);
  expect(refused).toEqual([403, 'NOT_ENABLED']);
  const listed = await service.request('GET', endpoints, { secret: made.secret });
  expect(listed.status).toBe(200);
});
