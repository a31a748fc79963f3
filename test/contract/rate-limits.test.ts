import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { type Api, openApi } from '../../service/src/programs/wiring/open-api.ts';
import { openRails, type Rails } from '../../service/src/programs/wiring/open-rails.ts';
import { signIn } from '../harness/dashboard/sign-in.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';
import { waitUntil } from '../harness/wait-until.ts';

let nowMs = 1_800_000_000_000;
const clock = { now: () => new Date(nowMs), sleep: async () => undefined };
const publicUrl = 'http://127.0.0.1';

let service: TestService;
let rails: Rails;
let api: Api;
beforeAll(async () => {
  service = await openTestService({ clock });
  // Nothing is configured here: what is not there costs as much to look for.
  rails = await openRails(service.tools, publicUrl);
  api = await openApi(service.tools, rails, publicUrl, { limitsRate: true });
});
afterAll(async () => {
  await api.close();
  await rails.close();
  await service.close();
});

const call = async (method: 'GET' | 'POST', url: string, remoteAddress: string) =>
  api.app.inject({ method, url, remoteAddress });

const ids = Array.from(
  { length: 250 },
  (_, at) => `7f0c7a3e-0000-4000-8000-${100_000_000_000 + at}`,
);
const qr = 'external-display-png_payment-qr-codes';

test.each<[string, 'GET' | 'POST', (id: string) => string, number]>([
  ['a page', 'GET', (id) => `/pay?paymentRequestId=${id}`, 20],
  ['a short link', 'GET', (id) => `/p/${id.slice(-10)}`, 20],
  ['a form', 'POST', () => '/pay/start', 20],
  ['an image', 'GET', (id) => `/${qr}/${id}.png`, 10],
  ['an icon', 'GET', (id) => `/bank-icons/${id}.svg`, 200],
  ['the changes of a page', 'GET', (id) => `/pay/events?paymentRequestId=${id}`, 20],
  ['the event stream', 'GET', () => '/api/webhook/events/stream', 20],
  ['a rail', 'POST', () => '/api/rails/card-events/sandbox', 200],
  ['the status of an unknown payment', 'GET', (id) => `/api/sdk-payment/status/${id}`, 20],
])('%s is limited by address and route', async (_, method, addressOf, perSecond) => {
  nowMs += 60_000;
  const statuses: number[] = [];
  for (const id of ids.slice(0, perSecond + 5))
    statuses.push((await call(method, addressOf(id), '2001:db8::1')).statusCode);
  expect(statuses.indexOf(429)).toBe(perSecond);
  const [id = ''] = ids;
  const near = await call(method, addressOf(id), '2001:db8::2');
  expect([near.statusCode, near.headers['retry-after']]).toEqual([429, '1']);
  expect((await call(method, addressOf(id), '2001:db8:0:1::1')).statusCode).not.toBe(429);
  nowMs += 1_000;
  expect((await call(method, addressOf(id), '2001:db8::1')).statusCode).not.toBe(429);
});

test('who meets a limit leaves a line a minute, with how many more there were', async () => {
  nowMs += 60_000;
  const before = service.logged.length;
  const meet = async () => {
    for (const id of ids.slice(0, 25)) await call('GET', `/p/${id.slice(-10)}`, '2001:db8:9::1');
  };
  await meet();
  nowMs += 60_000;
  await meet();
  const lines = service.logged.slice(before).filter((line) => line.includes('a call was refused'));
  const of = { address: '2001:db8:9::/48', route: 'GET /p/:code', failure: 'RATE_LIMITED' };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { ...of, personId: null, othersBefore: 0 },
    { ...of, personId: null, othersBefore: 4 },
  ]);
  expect(lines.join()).not.toContain('2001:db8:9::1');
});

test('health is not limited', async () => {
  for (let at = 0; at < 300; at += 1)
    expect((await call('GET', '/health/live', '2001:db8::1')).statusCode).toBe(200);
});

test('a large body is read of who is signed in alone, one of each session at once', async () => {
  const { merchantId } = service.merchant;
  const origin = await api.app.listen({ port: 0, host: '127.0.0.1' });
  const people = await Promise.all(
    Array.from({ length: limits.largeBodiesAtOnce + 1 }, () =>
      signIn(service.tools, { merchantId, origin }),
    ),
  );
  const [{ headers = {} } = {}] = people;
  const path = `payments/${ids[0]}/disputes/dp_1/files`;
  /** Sends the headers and no body: an answer shows that the body was not waited for. */
  const begin = (sent: Readonly<Record<string, string>>) => {
    const length = { 'content-length': String(limits.disputeFileBodyBytes) };
    const begun = request(`${origin}/dashboard/api/merchants/${merchantId}/sandbox/${path}`, {
      method: 'POST',
      headers: { ...sent, ...length, 'content-type': 'application/json' },
    });
    const status = once(begun, 'response').then(([reply]) => reply.resume().statusCode);
    status.catch(() => null);
    begun.flushHeaders();
    return { begun, status };
  };
  expect(await begin({}).status).toBe(403);
  const { cookie: _, ...stranger } = headers;
  expect(await begin(stranger).status).toBe(401);
  const held = people.slice(0, limits.largeBodiesAtOnce).map((person) => begin(person.headers));
  for (const person of [people[0], people.at(-1)])
    await waitUntil(async () => (await begin(person?.headers ?? {}).status) === 429);
  for (const { begun } of held) begun.destroy();
  const free = await waitUntil(async () => {
    const next = begin(headers);
    next.begun.end('{}'.padEnd(limits.disputeFileBodyBytes));
    const status = await next.status;
    return status !== 429 && status;
  });
  expect(free).toBe(400);
});
