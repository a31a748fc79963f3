import Stripe from 'stripe';
import { afterAll, beforeAll } from 'vitest';
import { pence } from '#kernel/pence.ts';
import { randomIds, systemClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import type { CardChargeOrder, CardOutcome, CardRail, CardSessionOrder } from '#rails/card-rail.ts';
import type { CardVisit, PayerCard } from '#rails/payer-rail.ts';
import { openSimulator, type Simulator } from '../../open-banking-uk/test/open-simulator.ts';
import { payByCard } from '../../simulated-payer.ts';
import { readCardRegistration } from '../account/settings.ts';
import { openStripe, type StripeCards } from '../stripe.ts';

export const returnUrl = 'http://127.0.0.1:9/back';

/** The simulated processor, our rail to it, and an SDK client that reads its books. */
export type SimulatedAccount = {
  simulator: Simulator;
  rail: CardRail;
  books: Stripe;
  /** How far ahead of real time the rail believes to be. */
  aheadMs: number;
  readonly newId: () => string;
  readonly newCustomer: () => Promise<string>;
  readonly openPage: (change?: Partial<CardSessionOrder>) => Promise<OpenedPage>;
  readonly pay: (card: PayerCard, change?: Partial<CardSessionOrder>) => Promise<Paid>;
  /** Pays on a page that saves the card, and answers its customer and its id. */
  readonly save: (cardNumber: string) => Promise<SavedCard>;
  readonly chargeOf: (card: SavedCard, change?: Partial<CardChargeOrder>) => CardChargeOrder;
  /** How many payments the processor has booked for an attempt of this customer, and their states. */
  readonly booked: (customer: string, attemptId: string) => Promise<readonly string[]>;
};

export type OpenedPage = {
  readonly attemptId: string;
  readonly url: string;
  readonly state: string;
  readonly reference: string;
};

export type Paid = OpenedPage & { readonly visit: CardVisit; readonly outcome: CardOutcome };
export type SavedCard = { readonly customer: string; readonly card: string };

export const useSimulatedAccount = (): SimulatedAccount => {
  const ids = randomIds();
  let cards: StripeCards;

  const orderOf = () => ({
    attemptId: ids.uuid(),
    paymentRequestId: ids.uuid(),
    amountPence: pence(1250),
    description: 'Order 17',
    captureMethod: 'AUTOMATIC' as const,
  });

  const account = { aheadMs: 0 } as SimulatedAccount;
  Object.assign(account, {
    newId: () => ids.uuid(),
    newCustomer: async () => {
      const made = await account.rail.createCustomer({ customerId: ids.uuid(), name: 'Ada' });
      if (made.kind !== 'CREATED') throw new Error(made.kind);
      return made.customerReference;
    },
    openPage: async (change = {}) => {
      const order = { ...orderOf(), returnUrl, ...change };
      const opened = await account.rail.openSession(order);
      if (opened.kind !== 'OPENED') throw new Error(JSON.stringify(opened));
      return { ...opened, attemptId: order.attemptId };
    },
    pay: async (card, change = {}) => {
      const page = await account.openPage(change);
      const visit = await payByCard(page.url, card);
      return { ...page, visit, outcome: await account.rail.readSession(page.state) };
    },
    save: async (cardNumber) => {
      const customer = await account.newCustomer();
      const saving = { customerReference: customer, saveCard: { recurrenceType: 'unscheduled' } };
      const { outcome } = await account.pay({ cardNumber }, saving as Partial<CardSessionOrder>);
      const card = outcome.kind === 'COMPLETED' ? outcome.payment.savedCardReference : null;
      if (!card) throw new Error(`not saved: ${outcome.kind}`);
      return { customer, card };
    },
    chargeOf: ({ customer, card }, change = {}) =>
      ({
        ...orderOf(),
        customerReference: customer,
        cardReference: card,
        recurrenceType: 'unscheduled',
        initiator: 'MERCHANT',
        ...change,
      }) as CardChargeOrder,
    booked: async (customer, attemptId) => {
      const { data } = await account.books.paymentIntents.list({ customer, limit: 100 });
      const own = data.filter(({ metadata }) => metadata?.attemptId === attemptId);
      return own.map(({ status }) => status);
    },
  } satisfies Partial<SimulatedAccount>);

  beforeAll(async () => {
    process.env.SIMULATOR_CARDS_PORT = '0';
    account.simulator = await openSimulator();
    const settings = await readCardRegistration(account.simulator.folder);
    if (!settings?.apiUrl) throw new Error('the simulator has no cards');
    const now = () => new Date(Date.now() + account.aheadMs);
    cards = openStripe({ clock: { ...systemClock, now }, ids, log: silentLog });
    account.rail = cards.railFor(settings);
    const { hostname, port } = new URL(settings.apiUrl);
    account.books = new Stripe(settings.secretKey, { host: hostname, port, protocol: 'http' });
  });
  afterAll(async () => {
    await cards?.close();
    await account.simulator?.close();
  });
  return account;
};
