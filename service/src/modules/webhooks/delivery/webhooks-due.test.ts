import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openMailServer } from '../../../../../test/harness/open-mail-server.ts';
import { openReceiver, type Receiver, status } from '../../../../../test/harness/open-receiver.ts';
import {
  openTestService,
  type TestService,
} from '../../../../../test/harness/open-test-service.ts';
import { waitUntil } from '../../../../../test/harness/wait-until.ts';
import { businessNow, draftOf, emit } from '../../../../../test/webhooks/emit.ts';
import { openSmtp } from '../../../rails/smtp.ts';
import { listCases } from '../../operator-cases/index.ts';
import { clockRoutes, webhookRoutes } from '../../sandbox/index.ts';
import { claimMails } from '../history/store/mails.ts';
import { merchantRoutes, webhooksDue } from '../index.ts';
import { sendMails } from '../jobs.ts';

const hourMs = 60 * 60 * 1000;
const minuteMs = 60 * 1000;

/** Halfway between the bounds of the jitter; the last try as late as it may be. */
const halfwayThenLast = Buffer.from([0xff, 0x7f, 0, 0]);

/** A dispatcher beside the clock, of which only the results matter here. */
let service: TestService;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await openTestService({
    routes: (tools) => {
      const steady = { ...tools, ids: { ...tools.ids, bytes: () => halfwayThenLast } };
      return [
        ...merchantRoutes(tools),
        ...webhookRoutes(tools),
        ...clockRoutes({ ...tools, dueSources: [webhooksDue(steady)] }),
      ];
    },
  });
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(() => service.close());

const subscribe = async (changes: object = {}) => {
  const receiver = await openReceiver(status(500));
  receivers.push(receiver);
  const merchant = await service.newMerchant({ ownerEmail: 'owner@shop.example' });
  const { secret } = merchant.secrets.SANDBOX;
  const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
  const call = async (method: string, path: string, body?: object) =>
    (await service.request(method, path, { secret, ...(body ? { body } : {}) })).body;
  const path = '/api/webhook/v2/endpoints';
  const { id } = await call('POST', path, {
    url: receiver.url,
    events: ['PAYMENTS_STATUS'],
    ...changes,
  });
  return {
    receiver,
    emit: async () => {
      const occurredAt = await businessNow(service.database, tenant);
      await emit(service.database, tenant, [draftOf({ occurredAt })]);
      return occurredAt;
    },
    advance: (advanceMs: number) => call('POST', '/api/sandbox/clock', { advanceMs }),
    mails: () => call('GET', '/api/webhook/mails'),
    endpoint: () => call('GET', `${path}/${id}`),
    newest: async () => {
      const [newest] = (await call('GET', `${path}/${id}/deliveries`)).data;
      return call('GET', `${path}/${id}/deliveries/${newest.deliveryId}`);
    },
  };
};

const nominalSeconds = [
  0, 5, 20, 65, 200, 605, 1_820, 5_465, 16_400, 30_800, 45_200, 59_600, 74_000, 86_340,
];

test('a delivery has fourteen attempts on time, none after 24 hours, and one mail per outage', async () => {
  const started = performance.now();
  const { receiver, emit, advance, mails, endpoint, newest } = await subscribe();
  const occurredAt = await emit();
  await advance(30 * hourMs);
  expect(receiver.received).toHaveLength(14);
  const given = await newest();
  expect(given).toMatchObject({ state: 'EXHAUSTED', attempts: 14, nextAttemptAt: null });
  const ended = { kind: 'DELIVERIES_ENDED', subject: (await endpoint()).id };
  const cases = await listCases(service.tools, 'OPEN');
  expect(cases.filter(({ subject }) => subject === ended.subject)).toMatchObject([ended]);
  const seconds = given.log.map(
    ({ attemptedAt }: { attemptedAt: string }) =>
      (Date.parse(attemptedAt) - occurredAt.getTime()) / 1000,
  );
  // Real time passes under a moved clock: nothing else may be added.
  const realSeconds = (performance.now() - started) / 1000;
  for (const [at, nominal] of nominalSeconds.entries()) {
    expect(seconds[at]).toBeGreaterThanOrEqual(nominal - 0.5);
    expect(seconds[at]).toBeLessThan(nominal + realSeconds);
  }
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: 'owner@shop.example', sentAt: null });
  expect(mail.text).toContain(receiver.url);
  expect(mail.text).toContain('STATUS 500');
  expect(mail.text).toContain('Events not delivered: 1');
  expect(await endpoint()).toMatchObject({ failureCount: 14, lastDeliveredAt: null });

  await emit();
  await advance(2 * hourMs);
  receiver.answer(status(200));
  await advance(26 * hourMs);
  expect(await newest()).toMatchObject({ state: 'DELIVERED' });
  expect(await mails()).toHaveLength(1);
  receiver.answer(status(500));
  await emit();
  await advance(26 * hourMs);
  expect(await newest()).toMatchObject({ state: 'EXHAUSTED' });
  expect(await mails()).toHaveLength(2);
});

test('deliveries given up soon after an outage mail send no mail of their own', async () => {
  const { emit, advance, mails } = await subscribe();
  await emit();
  await advance(hourMs);
  await emit();
  await advance(26 * hourMs);
  expect(await mails()).toHaveLength(1);
});

test('the outage mail is sent over SMTP, also when the worker that held it was killed', async () => {
  const { receiver, emit, advance, mails } = await subscribe();
  await emit();
  await advance(26 * hourMs);
  const server = await openMailServer();
  const mailRail = openSmtp({
    url: server.url,
    from: 'Florin <florin@shop.example>',
    withoutTls: true,
  });
  const arrived = () => server.mails.filter((mail) => mail.includes(receiver.url));
  try {
    await service.database.system(claimMails, { limit: 100, leaseMs: 1_500 });
    await sendMails({ ...service.tools, mailRail });
    expect(arrived()).toEqual([]);
    await waitUntil(async () => {
      await sendMails({ ...service.tools, mailRail });
      return arrived().length > 0;
    });
    await sendMails({ ...service.tools, mailRail });
    expect(arrived()).toHaveLength(1);
    expect(arrived()[0]).toMatch(/^To: owner@shop\.example$/m);
    expect(arrived()[0]).toMatch(/^Message-ID: <webhook-\d+@shop\.example>$/m);
    expect((await mails())[0].sentAt).not.toBeNull();
  } finally {
    await mailRail.close();
    server.close();
  }
});

test('retry-after is followed', async () => {
  const { receiver, emit, advance } = await subscribe();
  receiver.answer(status(429, { 'retry-after': '600' }));
  await emit();
  await advance(9 * minuteMs);
  expect(receiver.received).toHaveLength(1);
  await advance(2 * minuteMs);
  expect(receiver.received).toHaveLength(2);
});

const openTokenServer = async () => {
  const state = { isUp: false, tokenRequests: 0, authorizations: [] as (string | undefined)[] };
  const server: Server = createServer((request, reply) => {
    state.tokenRequests += 1;
    state.authorizations.push(request.headers.authorization);
    request.resume();
    if (!state.isUp) return void reply.writeHead(503).end();
    reply.setHeader('content-type', 'application/json');
    reply.end(JSON.stringify({ access_token: 'token-1', token_type: 'bearer', expires_in: 3600 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { state, url: `http://127.0.0.1:${port}/token`, close: () => server.close() };
};

test('deliveries arrive after a token endpoint was down for ten minutes', async () => {
  const tokens = await openTokenServer();
  const { receiver, emit, advance, newest } = await subscribe({
    authentication: { clientId: 'shop', clientSecret: 's:1', authUrl: tokens.url },
  });
  receiver.answer(status(200));
  await emit();
  await advance(10 * minuteMs);
  expect(receiver.received).toHaveLength(0);
  expect((await newest()).log.every(({ outcome }: { outcome: string }) => outcome === 'AUTH')).toBe(
    true,
  );
  tokens.state.isUp = true;
  // A refused token endpoint is left alone for some real seconds.
  await waitUntil(
    async () => {
      await advance(hourMs);
      return receiver.received.length === 1;
    },
    { everyMs: 1_000 },
  );
  expect(receiver.received[0]?.headers.authorization).toBe('Bearer token-1');
  expect((await newest()).state).toBe('DELIVERED');
  const basic = Buffer.from('shop:s%3A1').toString('base64');
  expect(tokens.state.authorizations[0]).toBe(`Basic ${basic}`);
  tokens.close();
});
