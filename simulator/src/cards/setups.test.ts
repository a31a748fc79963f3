import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openTestSimulator,
  type TestSimulator,
} from '../../../test/harness/simulator/open-test-simulator.ts';
import { errorOf, openShop, type Shop } from '../testing/card-shop.ts';

let simulator: TestSimulator;
let shop: Shop;
let stripe: Stripe;

beforeAll(async () => {
  simulator = await openTestSimulator();
  shop = await openShop(simulator);
  stripe = shop.stripe;
});
afterAll(() => simulator?.close());

test('a card is set up for its customer, and charged later', async () => {
  const { id: customer } = await stripe.customers.create({ name: 'Ada' });
  const made = await stripe.setupIntents.create({ customer, metadata: { plan: 'tea' } });
  expect(made).toMatchObject({ status: 'requires_payment_method', usage: 'off_session' });
  const updated = await stripe.setupIntents.update(made.id, { description: 'Weekly tea' });
  expect(updated).toMatchObject({ description: 'Weekly tea', metadata: { plan: 'tea' } });
  const done = await stripe.setupIntents.confirm(made.id, {
    ...{ payment_method: 'pm_card_visa', expand: ['payment_method'] },
  });
  expect(done).toMatchObject({ status: 'succeeded', payment_method: { customer } });
  const { data } = await stripe.customers.listPaymentMethods(customer);
  const payment_method = data[0]?.id ?? '';
  const charge = { amount: 500, currency: 'gbp', off_session: true, confirm: true };
  const paid = await stripe.paymentIntents.create({ ...charge, customer, payment_method });
  expect(paid.status).toBe('succeeded');
  expect((await stripe.setupIntents.list({ customer })).data.map(({ id }) => id)).toEqual([
    made.id,
  ]);
  const late = await errorOf(stripe.setupIntents.cancel(made.id));
  expect(late).toMatchObject({ statusCode: 400, code: 'setup_intent_unexpected_state' });
});

test.each([
  ['approve', 'succeeded', 'succeeded'],
  ['decline', 'requires_payment_method', 'failed'],
])('the bank asks the customer: %s', async (decision, status, redirectStatus) => {
  const { id: customer } = await stripe.customers.create();
  const setup = await stripe.setupIntents.create({
    ...{ customer, payment_method: 'pm_card_visa_challenge', confirm: true },
    return_url: 'http://127.0.0.1:9/back?order=7',
  });
  expect(setup.status).toBe('requires_action');
  const url = setup.next_action?.redirect_to_url?.url ?? '';
  expect(await (await fetch(url)).text()).toContain('Nothing now');
  const body = new URLSearchParams({ decision });
  const reply = await fetch(url, { method: 'POST', redirect: 'manual', body });
  const back = new URL(reply.headers.get('location') ?? '');
  expect(Object.fromEntries(back.searchParams)).toMatchObject({
    ...{ order: '7', setup_intent: setup.id, redirect_status: redirectStatus },
  });
  const ended = await stripe.setupIntents.retrieve(setup.id);
  expect(ended.status).toBe(status);
  if (status === 'requires_payment_method')
    expect(ended.last_setup_error?.code).toBe('setup_intent_authentication_failure');
});

test('a declined card is 402, and the setup waits for another', async () => {
  const order = { payment_method: 'pm_card_chargeDeclined', confirm: true } as const;
  const error = await errorOf(stripe.setupIntents.create(order));
  expect(error).toMatchObject({ statusCode: 402, type: 'StripeCardError', code: 'card_declined' });
  const { id = '' } = error.setup_intent ?? {};
  expect(await stripe.setupIntents.retrieve(id)).toMatchObject({
    ...{ status: 'requires_payment_method', payment_method: null },
  });
  expect(await stripe.setupIntents.cancel(id, { cancellation_reason: 'abandoned' })).toMatchObject({
    ...{ status: 'canceled', cancellation_reason: 'abandoned' },
  });
  const { data } = await stripe.events.list({ types: ['setup_intent.canceled'], limit: 1 });
  expect(data[0]?.data.object).toMatchObject({ id });
});

const stray = { code: 'parameter_unknown', param: 'lunch' };
const unexpandable = { statusCode: 400, param: 'expand' };

test.each<[string, () => Promise<unknown>, object]>([
  ['without a card', () => stripe.setupIntents.confirm('seti_none'), { statusCode: 404 }],
  ['an unknown parameter', () => stripe.setupIntents.create({ lunch: 1 } as never), stray],
  ['an unknown expand', () => stripe.setupIntents.create({ expand: ['lunch'] }), unexpandable],
])('%s is refused', async (_, work, facts) => {
  expect(await errorOf(work())).toMatchObject(facts);
});
