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
let paid: Stripe.PaymentIntent;
let held: Stripe.PaymentIntent;
let refund: Stripe.Refund;
let dispute: Stripe.Dispute;
let setup: Stripe.SetupIntent;
let endpoint: Stripe.WebhookEndpoint;
let owner: { readonly customer: string; readonly payment_method: string };

const metadata = { till: '7' };
const one = { data: [{ id: expect.any(String) }] };
const amount = { amount: 500, currency: 'gbp' };
const chargeOf = ({ latest_charge: charge }: Stripe.PaymentIntent): string =>
  (charge as Stripe.Charge).id;
const unsettled = async () => (await stripe.paymentIntents.create(amount)).id;

beforeAll(async () => {
  simulator = await openTestSimulator();
  shop = await openShop(simulator);
  stripe = shop.stripe;
  owner = await shop.saveCard('visa');
  paid = await shop.charge('visa');
  held = await shop.charge('visa', { capture_method: 'manual' });
  refund = await stripe.refunds.create({ payment_intent: paid.id, amount: 100 });
  const disputed = await shop.charge('createDispute');
  [dispute] = (await stripe.disputes.list({ payment_intent: disputed.id })).data as [
    Stripe.Dispute,
  ];
  setup = await stripe.setupIntents.create({ customer: owner.customer });
  const url = 'http://127.0.0.1:9/hook';
  endpoint = await stripe.webhookEndpoints.create({ url, enabled_events: ['charge.captured'] });
});
afterAll(() => simulator?.close());

/** A call of the official client, and what its answer holds; in this order, some follow others. */
const served: readonly (readonly [string, () => Promise<unknown>, object])[] = [
  ['accounts.retrieve', () => stripe.accounts.retrieveCurrent(), { object: 'account' }],
  ['balance.retrieve', () => stripe.balance.retrieve(), { available: [{ currency: 'gbp' }] }],
  [
    'balanceTransactions.list',
    () => stripe.balanceTransactions.list({ source: refund.id }),
    { data: [{ amount: -100 }] },
  ],
  ['charges.list', () => stripe.charges.list({ payment_intent: paid.id }), { data: [{}] }],
  ['charges.retrieve', () => stripe.charges.retrieve(chargeOf(paid)), { captured: true }],
  [
    'charges.capture',
    () => stripe.charges.capture(chargeOf(held), { amount: 1000 }),
    { captured: true, amount_captured: 1000 },
  ],
  [
    'charges.search',
    () => stripe.charges.search({ query: `customer:'${paid.customer}'` }),
    { data: [{ id: expect.any(String) }] },
  ],
  ['customers.list', () => stripe.customers.list({ limit: 1 }), { has_more: true }],
  [
    'customers.update',
    () => stripe.customers.update(owner.customer, { metadata }),
    { id: expect.any(String), metadata },
  ],
  ['customers.search', () => stripe.customers.search({ query: "metadata['till']:'7'" }), one],
  ['disputes.list', () => stripe.disputes.list({ limit: 1 }), { data: [{ object: 'dispute' }] }],
  [
    'disputes.retrieve',
    () => stripe.disputes.retrieve(dispute.id, { expand: ['charge', 'payment_intent'] }),
    { charge: { object: 'charge' }, payment_intent: { object: 'payment_intent' } },
  ],
  ['disputes.update', () => stripe.disputes.update(dispute.id, { metadata }), { metadata }],
  ['disputes.close', () => stripe.disputes.close(dispute.id), { status: 'lost' }],
  ['events.list', () => stripe.events.list({ type: 'refund.created' }), { object: 'list' }],
  ['events.retrieve', async () => stripe.events.retrieve(await anEvent()), { object: 'event' }],
  [
    'paymentIntents.list',
    () => stripe.paymentIntents.list({ limit: 1, expand: ['data.latest_charge'] }),
    { data: [{ latest_charge: { object: 'charge' } }] },
  ],
  [
    'paymentIntents.update',
    async () => stripe.paymentIntents.update(await unsettled(), { amount: 700, metadata }),
    { amount: 700, metadata },
  ],
  [
    'paymentIntents.update of a paid one',
    () => stripe.paymentIntents.update(paid.id, { description: 'Coffee', metadata }),
    { description: 'Coffee', metadata, status: 'succeeded' },
  ],
  [
    'paymentIntents.confirm',
    async () =>
      stripe.paymentIntents.confirm(await unsettled(), { payment_method: 'pm_card_visa' }),
    { status: 'succeeded' },
  ],
  [
    'paymentIntents.confirm of a card that was named before',
    async () => {
      const { id } = await stripe.paymentIntents.create({ ...amount, ...owner });
      return stripe.paymentIntents.confirm(id, { off_session: true });
    },
    { status: 'succeeded' },
  ],
  ['paymentIntents.search', () => stripe.paymentIntents.search({ query: 'amount:700' }), one],
  [
    'paymentMethods.list',
    () => stripe.paymentMethods.list({ customer: owner.customer, type: 'card' }),
    { data: [{ type: 'card' }] },
  ],
  [
    'paymentMethods.update',
    () => stripe.paymentMethods.update(owner.payment_method, { metadata }),
    { metadata },
  ],
  [
    'paymentMethods.detach',
    () => stripe.paymentMethods.detach(owner.payment_method),
    { customer: null },
  ],
  ['refunds.list', () => stripe.refunds.list({ charge: chargeOf(paid) }), { data: [{}] }],
  [
    'refunds.retrieve',
    () => stripe.refunds.retrieve(refund.id, { expand: ['charge', 'balance_transaction'] }),
    { charge: { object: 'charge' }, balance_transaction: { amount: -100 } },
  ],
  ['refunds.update', () => stripe.refunds.update(refund.id, { metadata }), { metadata }],
  [
    'setupIntents.retrieve',
    () => stripe.setupIntents.retrieve(setup.id, { expand: ['customer'] }),
    { customer: { object: 'customer' } },
  ],
  ['setupIntents.list', () => stripe.setupIntents.list(), { data: [{}] }],
  [
    'setupIntents.confirm',
    () => stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa' }),
    { status: 'succeeded' },
  ],
  [
    'setupIntents.cancel',
    async () => stripe.setupIntents.cancel((await stripe.setupIntents.create()).id),
    { status: 'canceled' },
  ],
  ['webhookEndpoints.list', () => stripe.webhookEndpoints.list(), one],
  [
    'webhookEndpoints.retrieve',
    () => stripe.webhookEndpoints.retrieve(endpoint.id),
    { enabled_events: ['charge.captured'] },
  ],
  [
    'webhookEndpoints.update',
    () => stripe.webhookEndpoints.update(endpoint.id, { enabled_events: ['*'] }),
    { enabled_events: ['*'] },
  ],
  ['webhookEndpoints.del', () => stripe.webhookEndpoints.del(endpoint.id), { deleted: true }],
  ['customers.del', () => stripe.customers.del(owner.customer), { deleted: true }],
];

const anEvent = async (): Promise<string> =>
  (await stripe.events.list({ limit: 1 })).data[0]?.id ?? '';

test.each(served)('%s', async (_, call, holds) => {
  expect(await call()).toMatchObject(holds);
});

const invalid = { statusCode: 400, type: 'StripeInvalidRequestError' };

test.each<[string, () => Promise<unknown>, object]>([
  ['refunds.cancel', () => stripe.refunds.cancel(refund.id), { message: /cannot be canceled/ }],
  [
    'charges.capture again',
    () => stripe.charges.capture(chargeOf(paid)),
    { code: 'charge_already_captured' },
  ],
  [
    'paymentIntents.update of the amount of a paid one',
    () => stripe.paymentIntents.update(paid.id, { amount: 700 }),
    { code: 'payment_intent_unexpected_state' },
  ],
  [
    'paymentIntents.confirm of a paid one',
    () => stripe.paymentIntents.confirm(paid.id),
    { code: 'payment_intent_unexpected_state' },
  ],
  [
    'paymentIntents.confirm without a card',
    async () => stripe.paymentIntents.confirm(await unsettled()),
    { param: 'payment_method' },
  ],
])('%s is refused', async (_, call, { message, ...facts }: { message?: RegExp }) => {
  const error = await errorOf(call());
  expect(error).toMatchObject({ ...invalid, ...facts });
  if (message) expect(error.message).toMatch(message);
});

test.each<[string, () => Promise<unknown>]>([
  ['a deleted endpoint', () => stripe.webhookEndpoints.retrieve(endpoint.id)],
  ['a refund', () => stripe.refunds.update('re_none', { metadata })],
])('%s that is not there', async (_, call) => {
  expect(await errorOf(call())).toMatchObject({ statusCode: 404, code: 'resource_missing' });
});

/** What the README names as left out. */
test.each<[string, () => Promise<unknown>]>([
  ['charges.create', () => stripe.charges.create(amount)],
  ['charges.update', () => stripe.charges.update(chargeOf(paid), { metadata })],
  ['checkout.sessions.list', () => stripe.checkout.sessions.list()],
  ['checkout.sessions.listLineItems', () => stripe.checkout.sessions.listLineItems('cs_test_1')],
  [
    'customers.retrievePaymentMethod',
    () => stripe.customers.retrievePaymentMethod(owner.customer, owner.payment_method),
  ],
  ['files.list', () => stripe.files.list()],
  ['invoices.list', () => stripe.invoices.list()],
  ['mandates.retrieve', () => stripe.mandates.retrieve('mandate_1')],
  [
    'paymentIntents.incrementAuthorization',
    () => stripe.paymentIntents.incrementAuthorization(held.id, { amount: 2000 }),
  ],
  ['paymentLinks.list', () => stripe.paymentLinks.list()],
  ['payouts.list', () => stripe.payouts.list()],
  ['products.list', () => stripe.products.list()],
  ['setupAttempts.list', () => stripe.setupAttempts.list({ setup_intent: setup.id })],
  ['subscriptions.list', () => stripe.subscriptions.list()],
  ['tokens.retrieve', () => stripe.tokens.retrieve('tok_1')],
])('%s is an address that Stripe would not know either', async (_, call) => {
  const error = await errorOf(call());
  expect(error).toMatchObject({ statusCode: 404, type: 'StripeInvalidRequestError' });
  expect(error.message).toMatch(/^Unrecognized request URL \((GET|POST): \/v1\//);
});
