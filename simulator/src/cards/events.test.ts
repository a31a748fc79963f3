import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type RunningSimulator,
  runSimulator,
} from '../../../test/harness/simulator/run-simulator.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import { numberOf, openShop, payOnPage, type Shop } from '../testing/card-shop.ts';

type Received = {
  readonly signature: string;
  readonly body: string;
};

let simulator: RunningSimulator;
let shop: Shop;
let receiver: Server;
let url: string;
let received: Received[] = [];
let answers: () => number = () => 200;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    received.push({ signature: String(request.headers['stripe-signature']), body });
    response.writeHead(answers()).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
  simulator = await runSimulator();
  shop = await openShop(simulator);
});
beforeEach(() => {
  received = [];
  answers = () => 200;
});
afterAll(async () => {
  await simulator?.close();
  receiver?.close();
});

const events = () => {
  const { webhookSecret } = shop.registration.cards;
  return received.map(({ body, signature }) =>
    shop.stripe.webhooks.constructEvent(body, signature, webhookSecret),
  );
};
const about = (id: string) =>
  events().filter(({ data }) => (data.object as { id?: string }).id === id);
const listen = (types: Stripe.WebhookEndpointCreateParams.EnabledEvent[]) =>
  shop.stripe.webhookEndpoints.create({ url, enabled_events: types });

test('sends only the enabled events, with a signature the client accepts', async () => {
  const endpoint = await listen(['payment_intent.succeeded', 'checkout.session.completed']);
  expect(endpoint.secret).toBe(shop.registration.cards.webhookSecret);
  const session = await shop.openSession();
  await payOnPage(session.url ?? '', { number: numberOf('visa') });
  const { intent } = await shop.readIntent(session.id);
  await waitUntil(async () => received.length >= 2);
  const [event] = about(intent?.id ?? '');
  expect(event).toMatchObject({
    ...{ type: 'payment_intent.succeeded', livemode: false, api_version: '2026-10-28.endive' },
    data: { object: { status: 'succeeded', latest_charge: expect.stringMatching(/^ch_/) } },
  });
  expect(about(session.id)).toMatchObject([
    { type: 'checkout.session.completed', data: { object: { payment_status: 'paid' } } },
  ]);
  expect(await shop.stripe.events.retrieve(event?.id ?? '')).toMatchObject({ type: event?.type });
  const tampered = received[0]?.body.replace('succeeded', 'canceled') ?? '';
  const { webhookSecret } = shop.registration.cards;
  const verify = () =>
    shop.stripe.webhooks.constructEvent(tampered, received[0]?.signature ?? '', webhookSecret);
  expect(verify).toThrow('No signatures found');
  await shop.stripe.webhookEndpoints.del(endpoint.id);
});

test('retries the same event until it is accepted', async () => {
  let refusals = 2;
  answers = () => {
    refusals -= 1;
    return refusals >= 0 ? 500 : 200;
  };
  const endpoint = await listen(['payment_intent.payment_failed']);
  await shop.charge('chargeDeclined').catch(() => undefined);
  await waitUntil(async () => received.length === 3);
  expect(new Set(events().map(({ id }) => id)).size).toBe(1);
  expect(events()[0]?.data.object).toMatchObject({
    last_payment_error: { decline_code: 'generic_decline', code: 'card_declined' },
  });
  await shop.stripe.webhookEndpoints.del(endpoint.id);
});

test('delivers pending events after a crash', async () => {
  answers = () => 503;
  const endpoint = await listen(['payment_intent.amount_capturable_updated']);
  const { id } = await shop.charge('visa', { capture_method: 'manual' });
  await waitUntil(async () => received.length >= 1);
  await simulator.kill('SIGKILL');
  received = [];
  answers = () => 200;
  await simulator.start();
  // Killed during an attempt, it is sent again when its lease is over.
  await waitUntil(async () => received.length >= 1, { withinMs: 30_000 });
  expect(about(id)).toHaveLength(1);
  await shop.stripe.webhookEndpoints.del(endpoint.id);
});

test('an expired authorisation sends its event', async () => {
  const endpoint = await listen(['payment_intent.canceled', 'charge.expired']);
  const { id } = await shop.charge('visa', { capture_method: 'manual' });
  const milliseconds = 5 * 24 * 3_600_000;
  await shop.control('POST', '/clock/advance', { paymentIntentIds: [id], milliseconds });
  await waitUntil(async () => about(id).length === 1);
  expect(about(id)[0]?.data.object).toMatchObject({ cancellation_reason: 'automatic' });
  expect(events().map(({ type }) => type)).toContain('charge.expired');
  await shop.stripe.webhookEndpoints.del(endpoint.id);
});

test('lists, filters and pages events', async () => {
  const types = ['charge.succeeded', 'charge.failed'];
  const { data } = await shop.stripe.events.list({ types, limit: 100 });
  expect(data.length).toBeGreaterThan(1);
  for (const { type } of data) expect(types).toContain(type);
  const [newest, second] = data;
  const next = await shop.stripe.events.list({ types, limit: 1, starting_after: newest?.id });
  expect(next.data[0]?.id).toBe(second?.id);
  const future = Math.floor(Date.now() / 1000) + 60;
  expect((await shop.stripe.events.list({ created: { gte: future } })).data).toEqual([]);
});
