import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openTestSimulator,
  type TestSimulator,
} from '../../../test/harness/simulator/open-test-simulator.ts';
import {
  cancelUrl,
  errorOf,
  numberOf,
  openShop,
  payOnPage,
  type Shop,
} from '../testing/card-shop.ts';

let simulator: TestSimulator;
let shop: Shop;

beforeAll(async () => {
  simulator = await openTestSimulator();
  shop = await openShop(simulator);
});
afterAll(() => simulator?.close());

const cardOf = (intent: Stripe.PaymentIntent | null) => {
  const charge = intent?.latest_charge as Stripe.Charge | undefined;
  return charge?.payment_method_details?.card;
};

describe('a payment on the hosted page', () => {
  test('returns to the shop, paid, with the card and its scheme id', async () => {
    const session = await shop.openSession({
      client_reference_id: 'order-1',
      metadata: { order: '1' },
      payment_intent_data: { metadata: { order: '1' }, description: 'Order 1' },
    });
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 1250 });
    const back = await payOnPage(session.url ?? '', { number: numberOf('visa') });
    expect(back.url).toBe(`http://127.0.0.1:9/paid?session=${session.id}`);
    const paid = await shop.readIntent(session.id);
    expect(paid.session).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
    expect(paid.intent).toMatchObject({
      status: 'succeeded',
      amount_received: 1250,
      metadata: { order: '1' },
      description: 'Order 1',
    });
    expect(cardOf(paid.intent)).toMatchObject({
      ...{ brand: 'visa', funding: 'credit', country: 'GB', last4: '4242' },
      description: 'Visa Classic credit',
      ...{ exp_month: 12, exp_year: 2040, three_d_secure: null },
      fingerprint: expect.stringMatching(/^\w{16}$/),
      network_transaction_id: expect.stringMatching(/^\d{15}$/),
    });
  });

  test('requires a challenge and stores its result', async () => {
    const session = await shop.openSession();
    const number = numberOf('visa_challenge');
    const back = await payOnPage(session.url ?? '', { number, decision: 'approve' });
    expect(back.url).toContain('/paid?session=');
    const { intent } = await shop.readIntent(session.id);
    expect(cardOf(intent)?.three_d_secure).toMatchObject({
      authentication_flow: 'challenge',
      result: 'authenticated',
      electronic_commerce_indicator: '05',
      version: '2.2.0',
    });
  });

  test('declined, is then paid with another card in the same session', async () => {
    const session = await shop.openSession();
    const number = numberOf('chargeDeclined');
    const page = await payOnPage(session.url ?? '', { number });
    expect(page.text).toContain('Your card was declined.');
    expect((await shop.readIntent(session.id)).intent?.status).toBe('requires_payment_method');
    await payOnPage(session.url ?? '', { number: numberOf('mastercard') });
    const { intent } = await shop.readIntent(session.id);
    expect(intent).toMatchObject({ status: 'succeeded', last_payment_error: null });
  });

  test.each(['decline', 'timeout'] as const)(
    'a challenge with %s fails the attempt',
    async (decision) => {
      const session = await shop.openSession();
      const number = numberOf('visa_challenge');
      const page = await payOnPage(session.url ?? '', { number, decision });
      expect(page.text).toContain('unable to authenticate');
      expect((await shop.readIntent(session.id)).intent).toMatchObject({
        status: 'requires_payment_method',
        latest_charge: null,
        last_payment_error: { code: 'payment_intent_authentication_failure' },
      });
    },
  );

  test('an abandoned challenge ends with its session, and its page explains that', async () => {
    const session = await shop.openSession();
    const number = numberOf('visa_challenge');
    const page = await payOnPage(session.url ?? '', { number, decision: 'abandon' });
    expect((await shop.readIntent(session.id)).intent?.status).toBe('requires_action');
    await shop.stripe.checkout.sessions.expire(session.id);
    expect((await shop.readIntent(session.id)).intent).toMatchObject({
      ...{ status: 'canceled', cancellation_reason: 'expired' },
    });
    expect((await fetch(page.url)).status).toBe(410);
    const again = await errorOf(shop.stripe.checkout.sessions.expire(session.id));
    expect(again.message).toContain('expired');
  });

  test('a customer who leaves has no open session', async () => {
    const session = await shop.openSession();
    const back = await payOnPage(session.url ?? '', { number: numberOf('customerCancels') });
    expect(back.url).toBe(cancelUrl);
    const left = await shop.readIntent(session.id);
    expect(left.session.status).toBe('expired');
    expect(left.intent).toMatchObject({ cancellation_reason: 'requested_by_customer' });
  });
});

describe('a charge without the customer', () => {
  test('succeeds with the card that was saved on the page', async () => {
    const customer = await shop.stripe.customers.create({ name: 'Ada' });
    const session = await shop.openSession({
      customer: customer.id,
      payment_intent_data: { setup_future_usage: 'off_session' },
    });
    await payOnPage(session.url ?? '', { number: numberOf('authenticationRequiredOnSetup') });
    const { data } = await shop.stripe.paymentMethods.list({ customer: customer.id });
    expect(data).toHaveLength(1);
    const intent = await shop.stripe.paymentIntents.create({
      ...{ amount: 500, currency: 'gbp', customer: customer.id, payment_method: data[0]?.id },
      ...{ off_session: true, confirm: true },
      payment_method_options: { card: { stored_credential_usage: 'unscheduled' } },
    });
    expect(intent.status).toBe('succeeded');
  });

  test('answers a decline with 402 and stores the attempt', async () => {
    const error = await errorOf(shop.charge('chargeDeclinedLostCard'));
    expect(error).toMatchObject({
      ...{ type: 'StripeCardError', statusCode: 402, code: 'card_declined' },
      ...{ decline_code: 'lost_card', charge: expect.stringMatching(/^ch_/) },
      payment_intent: { status: 'requires_payment_method' },
    });
  });

  test('that needs the customer reports that', async () => {
    const error = await errorOf(shop.charge('authenticationRequired'));
    expect(error).toMatchObject({ statusCode: 402, code: 'authentication_required' });
  });
});

describe('an authorisation', () => {
  const dayS = 24 * 3600;
  const authorise = (key: string) => shop.charge(key, { capture_method: 'manual' });

  test.each([
    ['visa', 4.75 * dayS],
    ['mastercard', 7 * dayS],
    ['amex', 7 * dayS],
  ])('of %s has an end for its capture', async (key, lastsS) => {
    const intent = await authorise(key);
    expect(intent).toMatchObject({ status: 'requires_capture', amount_capturable: 1250 });
    const charge = intent.latest_charge as Stripe.Charge;
    expect((cardOf(intent)?.capture_before ?? 0) - charge.created).toBe(lastsS);
  });

  test('with the customer present lasts seven days', async () => {
    const session = await shop.openSession({ payment_intent_data: { capture_method: 'manual' } });
    await payOnPage(session.url ?? '', { number: numberOf('visa') });
    const { session: done, intent } = await shop.readIntent(session.id);
    const charge = intent?.latest_charge as Stripe.Charge;
    expect((cardOf(intent)?.capture_before ?? 0) - charge.created).toBe(7 * dayS);
    expect(done).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
  });

  test('is captured in part, and the rest is released', async () => {
    const { id } = await authorise('visa');
    const captured = await shop.stripe.paymentIntents.capture(id, {
      ...{ amount_to_capture: 700, expand: ['latest_charge'] },
    });
    expect(captured).toMatchObject({
      ...{ status: 'succeeded', amount_received: 700, amount_capturable: 0 },
      latest_charge: { captured: true, amount_captured: 700, amount_refunded: 550 },
    });
    const again = await errorOf(shop.stripe.paymentIntents.capture(id));
    expect(again).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
    const [line] = (await shop.control('GET', `/cards/payments?paymentIntentIds=${id}`)).body;
    expect(line).toMatchObject({ held: 0, captured: 700, refunded: 0 });
  });

  test('is cancelled with its reason', async () => {
    const { id } = await authorise('visa');
    const cancelled = await shop.stripe.paymentIntents.cancel(id, {
      cancellation_reason: 'duplicate',
    });
    expect(cancelled).toMatchObject({ status: 'canceled', cancellation_reason: 'duplicate' });
    expect((await errorOf(shop.stripe.paymentIntents.capture(id))).statusCode).toBe(400);
  });

  test('expires on a moved clock, with an event', async () => {
    const [one, other] = [await authorise('visa'), await authorise('visa')];
    const moved = await shop.control('POST', '/clock/advance', {
      ...{ paymentIntentIds: [one.id], milliseconds: 4.75 * dayS * 1000 },
    });
    expect(moved.body).toEqual({ moved: 1 });
    const error = await errorOf(shop.stripe.paymentIntents.capture(one.id));
    expect(error).toMatchObject({ payment_intent: { cancellation_reason: 'automatic' } });
    expect((await shop.stripe.paymentIntents.retrieve(other.id)).status).toBe('requires_capture');
    const { data } = await shop.stripe.events.list({ type: 'payment_intent.canceled' });
    const own = data.filter(({ data: { object } }) => (object as { id: string }).id === one.id);
    expect(own).toHaveLength(1);
  });

  test('is captured once by concurrent calls', async () => {
    const { id } = await authorise('visa');
    const tries = Array.from({ length: 8 }, () => shop.stripe.paymentIntents.capture(id));
    const ended = await Promise.allSettled(tries);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
