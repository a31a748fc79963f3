import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openReceiver,
  type Received,
  type Receiver,
} from '../../../../../test/harness/open-receiver.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { emitMany } from '../../../../../test/webhooks/emit.ts';
import { createAccessSecret } from '../../merchants/index.ts';
import { webhookRoutes } from '../../sandbox/index.ts';
import { type Dispatcher, merchantRoutes, startDispatcher } from '../index.ts';

let service: TestService;
let dispatcher: Dispatcher;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  service = await openTestService({
    routes: (tools) => [...merchantRoutes(tools), ...webhookRoutes(tools)],
  });
  dispatcher = startDispatcher(service.tools);
});
afterAll(async () => {
  await dispatcher.stop();
  await service.close();
  await receiver.close();
});

const secretPath = '/api/sandbox/webhook/signing-secret';

const subscribe = async () => {
  const merchant = await service.newMerchant();
  const { secret } = merchant.secrets.SANDBOX;
  const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
  const body = { url: receiver.url, events: ['PAYMENTS_STATUS'] };
  await service.request('POST', '/api/webhook/v2/endpoints', { secret, body });
  const post = (path: string, sent?: object) =>
    service.request('POST', path, { secret, ...(sent ? { body: sent } : {}) });
  return {
    tenant,
    secret,
    rotate: async () => (await post(secretPath)).body.signingSecret as string,
    rotateAtOnce: () => post(secretPath, { overlapHours: 0 }),
    stage: () => post(`${secretPath}/next`),
    promote: (sent?: object) => post(`${secretPath}/promote`, sent),
    deliver: async (): Promise<Received> => {
      const before = receiver.received.length;
      dispatcher.wake(await emitMany(service.database, tenant, 1));
      return waitUntil(() => receiver.received[before]);
    },
  };
};

const signedBy = (secret: string, { body }: Received): string => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1=${createHmac('sha256', key).update(body).digest('hex')}`;
};

const verifies = (secret: string, { body, headers }: Received): boolean => {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

test('a staged secret signs beside the current one until it is promoted, then the old one does', async () => {
  const { rotate, stage, promote, deliver } = await subscribe();
  const first = await rotate();
  const staged = await stage();
  expect(staged).toMatchObject({
    status: 200,
    body: { signingSecret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) },
  });
  const next = staged.body.signingSecret as string;
  const before = await deliver();
  expect(before.headers['x-service-signature']).toBe(signedBy(first, before));
  expect(before.headers['x-atoa-signature']).toBe(signedBy(first, before));
  expect(before.headers['x-service-signature-next']).toBe(signedBy(next, before));
  expect(before.headers).not.toHaveProperty('x-service-signature-previous');
  expect([verifies(first, before), verifies(next, before)]).toEqual([true, true]);
  const promoted = await promote({ overlapHours: 2 });
  expect(Object.keys(promoted.body).sort()).toEqual(['previousExpiresAt', 'signing', 'signsSince']);
  const overlapMs = Date.parse(promoted.body.previousExpiresAt) - Date.now();
  expect(Math.round(overlapMs / 60_000)).toBe(120);
  const after = await deliver();
  expect(after.headers['x-service-signature']).toBe(signedBy(next, after));
  expect(after.headers['x-service-signature-previous']).toBe(signedBy(first, after));
  expect(after.headers).not.toHaveProperty('x-service-signature-next');
  expect([verifies(first, after), verifies(next, after)]).toEqual([true, true]);
  expect(await promote()).toMatchObject({ status: 409, body: { name: 'INVALID_STATE' } });
});

test('the first secret cannot be staged: it would change the bodies', async () => {
  const { stage, promote, deliver } = await subscribe();
  expect(await stage()).toMatchObject({ status: 409, body: { name: 'INVALID_STATE' } });
  expect((await promote()).status).toBe(409);
  const sent = await deliver();
  expect(Object.keys(sent.headers).filter((name) => name.includes('signature'))).toEqual([]);
});

test('staging again replaces what was staged, and a rotation leaves it staged', async () => {
  const { rotate, stage, promote, deliver } = await subscribe();
  await rotate();
  const dropped = (await stage()).body.signingSecret;
  const stored = (await stage()).body.signingSecret;
  const current = await rotate();
  const sent = await deliver();
  expect(sent.headers['x-service-signature']).toBe(signedBy(current, sent));
  expect(sent.headers['x-service-signature-next']).toBe(signedBy(stored, sent));
  expect(verifies(dropped, sent)).toBe(false);
  await promote({ overlapHours: 0 });
  const after = await deliver();
  expect(after.headers['x-service-signature']).toBe(signedBy(stored, after));
  expect([verifies(current, after), verifies(dropped, after)]).toEqual([false, false]);
});

test('of several secrets that still sign, the one replaced last is the previous one', async () => {
  const { rotate, stage, promote, deliver } = await subscribe();
  const first = await rotate();
  const staged = (await stage()).body.signingSecret;
  const second = await rotate();
  // Shorter than what is left of the first one's.
  await promote({ overlapHours: 1 });
  const sent = await deliver();
  expect(sent.headers['x-service-signature-previous']).toBe(signedBy(second, sent));
  const last = await rotate();
  const after = await deliver();
  expect(after.headers['x-service-signature-previous']).toBe(signedBy(staged, after));
  expect([first, second, staged, last].map((one) => verifies(one, after))).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test('a rotation without overlap ends every earlier secret, and says what still signs', async () => {
  const { rotate, rotateAtOnce, stage, promote, deliver } = await subscribe();
  const earlier = [await rotate(), await rotate()];
  const staged = (await stage()).body.signingSecret;
  const { body } = await rotateAtOnce();
  const signing = body.signing.map(({ role }: { role: string }) => role);
  expect(signing).toEqual(['CURRENT', 'NEXT']);
  const sent = await deliver();
  expect(earlier.map((one) => verifies(one, sent))).toEqual([false, false]);
  expect([verifies(body.signingSecret, sent), verifies(staged, sent)]).toEqual([true, true]);
  expect(sent.headers).not.toHaveProperty('x-service-signature-previous');
  const next = await rotate();
  const promoted = await promote({ overlapHours: 0 });
  expect(promoted.body.signing).toEqual([
    { role: 'CURRENT', createdAt: promoted.body.signsSince, expiresAt: null },
  ]);
  const after = await deliver();
  expect([next, body.signingSecret].map((one) => verifies(one, after))).toEqual([false, false]);
  expect(verifies(staged, after)).toBe(true);
});

test('ten secrets made concurrently replace one another in order', async () => {
  const { rotate, stage, promote, deliver } = await subscribe();
  const made = await Promise.all(Array.from({ length: 5 }, rotate));
  expect(new Set(made).size).toBe(5);
  const staged = await Promise.all(Array.from({ length: 5 }, stage));
  expect(staged.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 200]);
  const promoted = await Promise.all(Array.from({ length: 5 }, () => promote()));
  expect(promoted.map((reply) => reply.status).sort()).toEqual([200, 409, 409, 409, 409]);
  const sent = await deliver();
  // The current one and three that were replaced, of seven.
  expect(String(sent.headers['webhook-signature']).split(' ')).toHaveLength(4);
  const current = staged.map((reply) => reply.body.signingSecret);
  expect(
    current.filter((one) => sent.headers['x-service-signature'] === signedBy(one, sent)),
  ).toHaveLength(1);
});

test('a read-only secret makes and stages none', async () => {
  const { tenant, rotate } = await subscribe();
  await rotate();
  const { secret } = await createAccessSecret(service.tools, tenant, { isReadOnly: true });
  for (const path of [secretPath, `${secretPath}/next`, `${secretPath}/promote`])
    expect(await service.request('POST', path, { secret })).toMatchObject({
      status: 403,
      body: { name: 'NOT_ENABLED' },
    });
});
