import Stripe from 'stripe';
import type { Unknown } from '#rails/bank-rail.ts';
import type { CardRail } from '#rails/card-rail.ts';
import type { Account } from './account/account.ts';
import { checkSettings } from './account/check-settings.ts';
import { type KnownWallets, knownWallets } from './account/known-wallets.ts';
import { openConnections } from './account/open-connections.ts';
import type { PaymentState, RefundState } from './account/rail-state.ts';
import { readPaymentState, readRefundState } from './account/rail-state.ts';
import { readAccount } from './account/read-account.ts';
import type { StripeSettings, StripeTools, Timeouts } from './account/settings.ts';
import { defaultTimeouts } from './account/settings.ts';
import { unknown } from './account/unknown.ts';
import { cancel, resolveCancel } from './charges/cancel.ts';
import { capture, resolveCapture } from './charges/capture.ts';
import { charge, prepareCharge } from './charges/charge.ts';
import { readPayment } from './charges/read-payment.ts';
import { resolveCharge } from './charges/resolve-charge.ts';
import { createCustomer } from './customers/create-customer.ts';
import { deleteCustomer } from './customers/delete-customer.ts';
import { detachCard } from './customers/detach-card.ts';
import { readDispute } from './events/read-dispute.ts';
import { readEvent } from './events/read-event.ts';
import { estimateExpiry } from './outcomes/estimate-expiry.ts';
import { prepareRefund } from './refunds/prepare-refund.ts';
import { readRefund } from './refunds/read-refund.ts';
import { readRefunds } from './refunds/read-refunds.ts';
import { refund } from './refunds/refund.ts';
import { expireSession } from './sessions/expire-session.ts';
import { openSession } from './sessions/open-session.ts';
import { readSession } from './sessions/read-session.ts';

export type StripeCards = {
  /** Cheap: the connections are shared. Throws for invalid settings. */
  readonly railFor: (settings: StripeSettings) => CardRail;
  readonly close: () => Promise<void>;
};

/** The one connector to a card processor, real and simulated. Opening it touches no network. */
export const openStripe = (
  tools: StripeTools,
  timeouts: Timeouts = defaultTimeouts,
): StripeCards => {
  const connections = openConnections(timeouts);
  const wallets = knownWallets();
  const railFor = (settings: StripeSettings): CardRail => {
    const wrong = checkSettings(settings);
    if (wrong.length > 0) throw new Error(wrong.join(' '));
    const stripe = new Stripe(settings.secretKey, {
      ...addressOf(settings.apiUrl),
      httpClient: connections.client,
      maxNetworkRetries: 0,
      telemetry: false,
      timeout: timeouts.totalMs,
    });
    return cardRail({ settings, tools, stripe }, wallets);
  };
  const close = async (): Promise<void> => {
    await connections.close();
    await wallets.close();
  };
  return { railFor, close };
};

const simulated = 'simulated';

const addressOf = (apiUrl: string | undefined): Stripe.StripeConfig => {
  if (apiUrl === undefined) return {};
  const { hostname, port, protocol } = new URL(apiUrl);
  const isHttps = protocol === 'https:';
  return {
    host: hostname,
    port: port || (isHttps ? 443 : 80),
    protocol: isHttps ? 'https' : 'http',
  };
};

const cardRail = (account: Account, wallets: KnownWallets): CardRail => ({
  accountKey: account.settings.accountKey ?? simulated,
  accepts: () => ({ brands: acceptedBrands, wallets: wallets.of(account) }),
  readAccount: () => readAccount(account),
  openSession: (order) => openSession(account, order),
  readSession: onPayment((state) => readSession(account, state)),
  expireSession: onPayment((state) => expireSession(account, state)),
  prepareCharge: (order) => prepareCharge(account, order),
  charge: onPayment((state) => charge(account, state)),
  resolveCharge: onPayment((state) => resolveCharge(account, state)),
  readPayment: onPayment((state) => readPayment(account, state)),
  capture: onPayment((state) => capture(account, state)),
  resolveCapture: onPayment((state) => resolveCapture(account, state)),
  cancel: (text, reason) => onPayment((state) => cancel(account, state, reason))(text),
  resolveCancel: (text, reason) =>
    onPayment((state) => resolveCancel(account, state, reason))(text),
  prepareRefund: (text, order) => prepareRefund(account, readPaymentState(text), order),
  refund: onRefund((state) => refund(account, state)),
  readRefund: onRefund((state) => readRefund(account, state)),
  readRefunds: onPayment((state) => readRefunds(account, state)),
  createCustomer: (order) => createCustomer(account, order),
  detachCard: (reference) => detachCard(account, reference),
  deleteCustomer: (reference) => deleteCustomer(account, reference),
  readDispute: (reference) => readDispute(account, reference),
  readEvent: (body, signature) => readEvent(account, body, signature),
  estimateExpiry,
});

const foreign = unknown('What is known of this card payment cannot be read.');

const onPayment =
  <Outcome>(step: (state: PaymentState) => Promise<Outcome>) =>
  async (text: string): Promise<Outcome | Unknown> => {
    const state = readPaymentState(text);
    return state ? step(state) : foreign;
  };

const onRefund =
  <Outcome>(step: (state: RefundState) => Promise<Outcome>) =>
  async (text: string): Promise<Outcome | Unknown> => {
    const state = readRefundState(text);
    return state ? step(state) : foreign;
  };

const acceptedBrands = ['Visa', 'Mastercard', 'American Express'];
