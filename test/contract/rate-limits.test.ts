import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, openApi } from '../../service/src/programs/wiring/open-api.ts';
import { openRails, type Rails } from '../../service/src/programs/wiring/open-rails.ts';
import { openTestService, type TestService } from '../harness/open-test-service.ts';

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

test('health is not limited', async () => {
  for (let at = 0; at < 300; at += 1)
    expect((await call('GET', '/health/live', '2001:db8::1')).statusCode).toBe(200);
});
