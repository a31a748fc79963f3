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

const create = (currency: string) => stripe.paymentIntents.create({ amount: 500, currency });
const listed = (path: string) => stripe.paymentIntents.list({ expand: [path] });
const declined = async (path: string) => {
  const saved = await shop.saveCard('chargeDeclined');
  return stripe.paymentIntents.create({
    ...{ amount: 500, currency: 'gbp', off_session: true, confirm: true, ...saved },
    expand: [path],
  });
};

test.each<[string, string, () => Promise<unknown>]>([
  ['an unknown currency', 'currency', () => create('xyz')],
  ['a word for a currency', 'currency', () => create('pound')],
  ['an unknown expand', 'expand', () => stripe.customers.create({ expand: ['lunch'] })],
  ['an expand of a text', 'expand', () => stripe.customers.create({ expand: ['email'] })],
  ['an expand that is too deep', 'expand', () => listed('data.latest_charge.customer.a.b')],
  ['an unknown expand of a list', 'expand', () => listed('data.lunch')],
  ['an expand beside the list', 'expand', () => listed('customer')],
  ['an unknown expand in another', 'expand', () => listed('data.latest_charge.lunch')],
  ['an unknown expand of a decline', 'expand', () => declined('lunch')],
])('%s is refused', async (_, param, call) => {
  const error = await errorOf(call());
  expect(error).toMatchObject({ statusCode: 400, param, type: 'StripeInvalidRequestError' });
});

test('an expand that is refused changes nothing', async () => {
  const email = 'unexpanded@example.com';
  await errorOf(stripe.customers.create({ email, expand: ['lunch'] }));
  expect((await stripe.customers.list({ email })).data).toEqual([]);
});

test('customers are listed by their address, as it was written', async () => {
  const made = await Promise.all(
    ['bea@example.com', 'bea@example.com', 'BEA@example.com'].map((email) =>
      stripe.customers.create({ email }),
    ),
  );
  const found = async (email: string) =>
    (await stripe.customers.list({ email })).data.map(({ id }) => id).sort();
  const [one = '', two = '', capital] = made.map(({ id }) => id);
  expect(await found('bea@example.com')).toEqual([one, two].sort());
  expect(await found('BEA@example.com')).toEqual([capital]);
  expect(await found('unknown@example.com')).toEqual([]);
  await stripe.customers.del(two);
  expect(await found('bea@example.com')).toEqual([one]);
});
