import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openTestSimulator,
  type TestSimulator,
} from '../../../test/harness/simulator/open-test-simulator.ts';
import { errorOf, numberOf, openShop, payOnPage, type Shop } from '../testing/card-shop.ts';

let simulator: TestSimulator;
let shop: Shop;
let stripe: Stripe;

beforeAll(async () => {
  simulator = await openTestSimulator();
  shop = await openShop(simulator);
  stripe = shop.stripe;
});
afterAll(() => simulator?.close());

test('customers are created, read, changed, found and deleted with their cards', async () => {
  const made = await stripe.customers.create({ name: 'Ada', email: 'ada@shop.test' });
  const changed = await stripe.customers.update(made.id, { name: '', metadata: { tier: 'gold' } });
  expect(changed).toMatchObject({ name: null, email: 'ada@shop.test', metadata: { tier: 'gold' } });
  const { payment_method: card } = await shop.saveCard('visa', made.id);
  expect(await stripe.customers.del(made.id)).toMatchObject({ deleted: true });
  expect(await stripe.customers.retrieve(made.id)).toMatchObject({ deleted: true });
  expect((await stripe.paymentMethods.retrieve(card)).customer).toBeNull();
  expect((await errorOf(stripe.customers.update(made.id, {}))).statusCode).toBe(404);
});

test('cards are listed, changed and detached', async () => {
  const { customer, payment_method: card } = await shop.saveCard('corporateDebit');
  const { data } = await stripe.customers.listPaymentMethods(customer);
  expect(data).toMatchObject([{ id: card, card: { brand: 'visa', funding: 'debit' } }]);
  const changed = await stripe.paymentMethods.update(card, { allow_redisplay: 'always' });
  expect(changed.allow_redisplay).toBe('always');
  expect((await stripe.paymentMethods.detach(card)).customer).toBeNull();
  expect((await stripe.paymentMethods.list({ customer })).data).toEqual([]);
  const refused = await errorOf(
    stripe.paymentIntents.create({
      ...{ amount: 500, currency: 'gbp', customer, payment_method: card },
      ...{ off_session: true, confirm: true },
    }),
  );
  expect(refused).toMatchObject({ statusCode: 400, param: 'payment_method' });
});

test('the only wallet that is on is the simulated one', async () => {
  const { data } = await stripe.paymentMethodConfigurations.list({ active: true });
  expect(data).toMatchObject([
    {
      ...{ is_default: true, application: null, livemode: false },
      ...{ apple_pay: { available: false }, google_pay: { available: false } },
      test_wallet: { available: true },
    },
  ]);
  expect((await stripe.paymentMethodConfigurations.list({ active: false })).data).toEqual([]);
});

test('one card has one fingerprint', async () => {
  const fingerprint = async (key: string) => {
    const { payment_method: card } = await shop.saveCard(key);
    return (await stripe.paymentMethods.retrieve(card)).card?.fingerprint;
  };
  expect(await fingerprint('visa')).toBe(await fingerprint('visa'));
  expect(await fingerprint('visa')).not.toBe(await fingerprint('visa_debit'));
});

test('lists are paged, newest first, with requested expansions', async () => {
  const saved = await shop.saveCard('visa');
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    const charge = { amount: 500 + count, currency: 'gbp', off_session: true, confirm: true };
    made.push((await stripe.paymentIntents.create({ ...charge, ...saved })).id);
  }
  const { customer } = saved;
  const first = await stripe.paymentIntents.list({
    ...{ customer, limit: 2, expand: ['data.latest_charge.payment_intent'] },
  });
  expect(first.has_more).toBe(true);
  const charge = first.data[0]?.latest_charge as Stripe.Charge;
  expect((charge.payment_intent as Stripe.PaymentIntent).id).toBe(made[4]);
  const all = await stripe.paymentIntents.list({ customer, limit: 2 }).autoPagingToArray({
    limit: 10,
  });
  expect(all.map(({ id }) => id)).toEqual(made.toReversed());
  const back = await stripe.paymentIntents.list({ customer, ending_before: made[2], limit: 1 });
  expect(back.data[0]?.id).toBe(made[3]);
});

test('payments are found by their metadata', async () => {
  const order = randomUUID();
  const { id } = await shop.charge('visa', { metadata: { order, shop: "O'Neill" } });
  await shop.charge('visa', { metadata: { order: 'another' } });
  const query = `metadata['order']:'${order}' AND status:'succeeded'`;
  const found = await stripe.paymentIntents.search({ query });
  expect(found.data.map((each) => each.id)).toEqual([id]);
  expect((await errorOf(stripe.paymentIntents.search({ query: 'lunch' }))).statusCode).toBe(400);
});

describe('refunds', () => {
  test('refund in parts up to the whole, and no more', async () => {
    const intent = await shop.charge('visa');
    const refund = await stripe.refunds.create({
      ...{ payment_intent: intent.id, amount: 400, reason: 'duplicate', metadata: { a: 'b' } },
    });
    expect(await stripe.refunds.retrieve(refund.id)).toEqual(refund);
    expect(refund).toMatchObject({ status: 'succeeded', amount: 400, payment_intent: intent.id });
    await stripe.refunds.create({ charge: refund.charge as string });
    const more = await errorOf(stripe.refunds.create({ payment_intent: intent.id }));
    expect(more).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' });
    const { data } = await stripe.refunds.list({ payment_intent: intent.id });
    expect(data.map(({ amount }) => amount)).toEqual([850, 400]);
    expect(await stripe.charges.retrieve(refund.charge as string)).toMatchObject({
      ...{ refunded: true, amount_refunded: 1250 },
    });
  });

  test.each([
    ['pendingRefund', 'pending', 'succeeded'],
    ['refundFail', 'succeeded', 'failed'],
  ])('of %s are %s, later %s', async (key, before, after) => {
    const { id } = await shop.charge(key);
    const refund = await stripe.refunds.create({ payment_intent: id });
    expect(refund.status).toBe(before);
    await shop.control('POST', '/clock/advance', {
      ...{ paymentIntentIds: [id], milliseconds: 3_600_000 },
    });
    expect((await stripe.refunds.retrieve(refund.id)).status).toBe(after);
  });
});

test.each([
  ['won', 'createDisputeProductNotReceived', 'needs_response'],
  ['lost', 'createDispute', 'needs_response'],
  ['warning_closed', 'createDisputeInquiry', 'warning_needs_response'],
])('a dispute that is %s', async (status, key, opened) => {
  const { id } = await shop.charge(key);
  const { data } = await stripe.events.list({ type: 'charge.dispute.created' });
  const dispute = data[0]?.data.object as Stripe.Dispute;
  expect(dispute).toMatchObject({ payment_intent: id, status: opened });
  await shop.control('POST', '/clock/advance', {
    ...{ paymentIntentIds: [id], milliseconds: 3_600_000 },
  });
  expect((await stripe.disputes.retrieve(dispute.id)).status).toBe(status);
});

describe('a payment by a present customer with a saved card', () => {
  test.each([
    ['approve', 'succeeded', 'succeeded'],
    ['decline', 'requires_payment_method', 'failed'],
  ])('that is challenged: %s', async (decision, status, redirectStatus) => {
    const saved = await shop.saveCard('visa_challenge');
    const intent = await stripe.paymentIntents.create({
      ...{ amount: 500, currency: 'gbp', confirm: true, ...saved },
      return_url: 'http://127.0.0.1:9/back?order=7',
    });
    expect(intent.status).toBe('requires_action');
    const url = intent.next_action?.redirect_to_url?.url ?? '';
    const reply = await fetch(url, {
      ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ decision }) },
    });
    const back = new URL(reply.headers.get('location') ?? '');
    expect(back.searchParams.get('order')).toBe('7');
    expect(back.searchParams.get('redirect_status')).toBe(redirectStatus);
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe(status);
    const again = await fetch(url, { redirect: 'manual' });
    expect(again.headers.get('location')).toBe(back.href);
  });

  test('rejects a wrong password', async () => {
    const saved = await shop.saveCard('visa_challenge');
    const intent = await stripe.paymentIntents.create({
      ...{ amount: 500, currency: 'gbp', confirm: true, ...saved },
    });
    const body = new URLSearchParams({ decision: 'approve', password: 'guess' });
    const url = intent.next_action?.redirect_to_url?.url ?? '';
    await fetch(url, { method: 'POST', redirect: 'manual', body });
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe(
      'requires_payment_method',
    );
  });

  test('pays with one click on the page', async () => {
    const { customer, payment_method: card } = await shop.saveCard('visa');
    const session = await shop.openSession({
      customer,
      saved_payment_method_options: {
        allow_redisplay_filters: ['always', 'limited', 'unspecified'],
      },
    });
    const page = await (await fetch(session.url ?? '')).text();
    expect(page).toContain('data-step="saved-card"');
    expect(page).toContain('Visa ending in 4242');
    const body = new URLSearchParams({ paymentMethod: card });
    await fetch(`${session.url}/saved`, { method: 'POST', redirect: 'manual', body });
    const { intent } = await shop.readIntent(session.id);
    expect(intent).toMatchObject({ status: 'succeeded' });
    expect(intent).toMatchObject({ payment_method: { id: card } });
  });

  test('rejects the card of another customer', async () => {
    const { payment_method: card } = await shop.saveCard('visa');
    const { customer } = await shop.saveCard('visa');
    const session = await shop.openSession({ customer });
    const body = new URLSearchParams({ paymentMethod: card });
    const reply = await fetch(`${session.url}/saved`, { method: 'POST', body });
    expect(reply.status).toBe(404);
    expect((await shop.readIntent(session.id)).intent).toBeNull();
  });
});

test('saves the card when the customer ticks it', async () => {
  const customer = await stripe.customers.create();
  const session = await shop.openSession({
    customer: customer.id,
    saved_payment_method_options: { payment_method_save: 'enabled' },
  });
  const more = { save: 'yes' };
  await payOnPage(session.url ?? '', { number: numberOf('visa'), more });
  const { data } = await stripe.paymentMethods.list({ customer: customer.id });
  expect(data).toMatchObject([{ allow_redisplay: 'always', billing_details: { name: 'Ada' } }]);
});

describe("errors have the shape of Stripe's", () => {
  const bad = { mode: 'payment', success_url: 'http://127.0.0.1:9' } as const;

  test.each<[string, () => Promise<unknown>, object]>([
    ['a wrong key', () => stranger().customers.list(), { statusCode: 401 }],
    ['a customer that is not there', () => stripe.customers.retrieve('cus_none'), gone],
    ['an intent that is not there', () => stripe.paymentIntents.retrieve('pi_none'), gone],
    ['a charge that is not there', () => stripe.charges.retrieve('ch_none'), gone],
    ['a session without lines', () => stripe.checkout.sessions.create(bad), missing],
    ['no amount', () => stripe.paymentIntents.create({ currency: 'gbp' } as never), missing],
    ['small change', () => stripe.paymentIntents.create({ amount: 1, currency: 'gbp' }), tiny],
    ['an unknown parameter', () => stripe.customers.create({ lunch: '1' } as never), stray],
    ['an address of its own', () => stripe.rawRequest('GET', '/v1/lunch'), { statusCode: 404 }],
    ['a number in the API', () => stripe.paymentMethods.create(raw), { statusCode: 402 }],
  ])('%s', async (_name, work, facts) => {
    expect(await errorOf(work())).toMatchObject(facts);
  });

  const stranger = () =>
    new Stripe('sk_test_stranger', {
      ...{ host: '127.0.0.1', port: new URL(simulator.cardsUrl).port, protocol: 'http' },
    });
  const raw = { type: 'card', card: { number: '1', exp_month: 1, exp_year: 2040 } } as never;
});

const gone = { statusCode: 404, code: 'resource_missing', type: 'StripeInvalidRequestError' };
const missing = { statusCode: 400, code: 'parameter_missing' };
const tiny = { code: 'amount_too_small', param: 'amount' };
const stray = { code: 'parameter_unknown', param: 'lunch' };

describe('an idempotency key', () => {
  const body = { name: 'Once' };

  test('repeats its answer and rejects other parameters', async () => {
    const idempotencyKey = randomUUID();
    const first = await stripe.customers.create(body, { idempotencyKey });
    const second = await stripe.customers.create(body, { idempotencyKey });
    expect(second.id).toBe(first.id);
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
    const other = await errorOf(stripe.customers.create({ name: 'Else' }, { idempotencyKey }));
    expect(other).toMatchObject({ statusCode: 400, type: 'StripeIdempotencyError' });
  });

  test('repeats a decline without a second try', async () => {
    const saved = await shop.saveCard('chargeDeclined');
    const charge = { amount: 500, currency: 'gbp', off_session: true, confirm: true, ...saved };
    const options = { idempotencyKey: randomUUID() };
    const first = await errorOf(stripe.paymentIntents.create(charge, options));
    const second = await errorOf(stripe.paymentIntents.create(charge, options));
    expect(second.payment_intent?.id).toBe(first.payment_intent?.id);
    const { data } = await stripe.paymentIntents.list({ customer: saved.customer });
    expect(data).toHaveLength(1);
  });

  test('repeats the answer of a capture', async () => {
    const { id } = await shop.charge('visa', { capture_method: 'manual' });
    const options = { idempotencyKey: randomUUID() };
    const first = await stripe.paymentIntents.capture(id, {}, options);
    expect(await stripe.paymentIntents.capture(id, {}, options)).toEqual(first);
  });

  test('used concurrently makes one payment', async () => {
    const saved = await shop.saveCard('visa');
    const charge = { amount: 500, currency: 'gbp', off_session: true, confirm: true, ...saved };
    const options = { idempotencyKey: randomUUID() };
    const tries = Array.from({ length: 10 }, () => stripe.paymentIntents.create(charge, options));
    const ended = await Promise.allSettled(tries);
    const refused = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    for (const error of refused) expect(error.statusCode).toBe(409);
    const { data } = await stripe.paymentIntents.list({ customer: saved.customer });
    expect(data).toHaveLength(1);
  });
});
