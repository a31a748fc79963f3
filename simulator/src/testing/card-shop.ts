import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Stripe from 'stripe';
import type { TestSimulator } from '../../../test/harness/simulator/open-test-simulator.ts';
import { cardTable } from '../cards/card-table.ts';
import type { Registration } from '../trust/write-registration.ts';
import { controlCalls } from './honest-client.ts';
import { actionOf, openBrowser, type Page } from './visit-bank.ts';

const successUrl = 'http://127.0.0.1:9/paid?session={CHECKOUT_SESSION_ID}';
export const cancelUrl = 'http://127.0.0.1:9/cancelled';

export type Shop = Awaited<ReturnType<typeof openShop>>;

export type Change = Partial<Stripe.Checkout.SessionCreateParams>;
export type Decision = 'approve' | 'decline' | 'timeout' | 'abandon';

// A shop with the official client, its customers at their browsers, and the control calls.
export const openShop = async (simulator: TestSimulator) => {
  const text = await readFile(join(simulator.trustFolder, 'registration.json'), 'utf8');
  const registration = JSON.parse(text) as Registration;
  const { cards } = registration;
  const { hostname, port } = new URL(cards.apiUrl);
  const stripe = new Stripe(cards.secretKey, {
    ...{ host: hostname, port, protocol: 'http', telemetry: false, maxNetworkRetries: 0 },
  });
  const control = controlCalls(registration);
  const openSession = (change: Change = {}) =>
    stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'gbp', unit_amount: 1250, product_data: { name: 'Coffee' } },
        },
      ],
      success_url: successUrl,
      cancel_url: cancelUrl,
      ...change,
    });
  const readIntent = async (sessionId: string) => {
    const session = await stripe.checkout.sessions.retrieve(sessionId, {
      expand: ['payment_intent.latest_charge', 'payment_intent.payment_method'],
    });
    return { session, intent: session.payment_intent as Stripe.PaymentIntent | null };
  };
  const saveCard = async (key: string, customer?: string) => {
    const owner = customer ?? (await stripe.customers.create({ name: 'Ada' })).id;
    const method = await stripe.paymentMethods.attach(`pm_card_${key}`, { customer: owner });
    return { customer: owner, payment_method: method.id };
  };
  const charge = async (
    key: string,
    change: Partial<Stripe.PaymentIntentCreateParams> = {},
    options: Stripe.RequestOptions = {},
  ) => {
    const saved = await saveCard(key);
    return stripe.paymentIntents.create(
      {
        ...{ amount: 1250, currency: 'gbp', off_session: true, confirm: true, ...saved },
        expand: ['latest_charge'],
        ...change,
      },
      options,
    );
  };
  return { ...{ registration, stripe, control, openSession, readIntent, saveCard, charge } };
};

export const numberOf = (key: string): string => {
  const row = cardTable.find((each) => each.key === key);
  if (!row) throw new Error(`no card ${key}`);
  return row.number;
};

type Typed = {
  readonly number: string;
  readonly decision?: Decision;
  readonly more?: Readonly<Record<string, string>>;
};

// The customer at the hosted page: types the card and answers the challenge.
export const payOnPage = async (url: string, typed: Typed): Promise<Page> => {
  const browser = openBrowser();
  const page = await browser.visit(url);
  const fields = { number: typed.number, expiry: '12/40', cvc: '123', name: 'Ada', ...typed.more };
  const next = await browser.visit(actionOf(page, 'card'), fields);
  const decision = typed.decision ?? 'approve';
  if (!next.text.includes('data-step="challenge"') || decision === 'abandon') return next;
  return browser.visit(actionOf(next, 'challenge'), { decision, password: '' });
};

export const errorOf = async (work: Promise<unknown>): Promise<Stripe.errors.StripeError> => {
  try {
    await work;
  } catch (error) {
    return error as Stripe.errors.StripeError;
  }
  throw new Error('it was expected to be refused');
};
