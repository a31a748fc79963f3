import Stripe from 'stripe';
import type { Unknown } from '#rails/bank-rail.ts';
import type { CardRail } from '#rails/card-rail.ts';
import type { Account } from './account.ts';
import { estimateExpiry } from './authorisation-lifetime.ts';
import { cancel, resolveCancel } from './cancel.ts';
import { capture, resolveCapture } from './capture.ts';
import { charge, prepareCharge } from './charge.ts';
import { checkSettings } from './check-settings.ts';
import { createCustomer } from './create-customer.ts';
import { deleteCustomer } from './delete-customer.ts';
import { detachCard } from './detach-card.ts';
import { expireSession } from './expire-session.ts';
import { openConnections } from './http-client.ts';
import { openSession } from './open-session.ts';
import { prepareRefund } from './prepare-refund.ts';
import type { PaymentState, RefundState } from './rail-state.ts';
import { readPaymentState, readRefundState } from './rail-state.ts';
import { readAccount } from './read-account.ts';
import { readDispute } from './read-dispute.ts';
import { readEvent } from './read-event.ts';
import { readPayment } from './read-payment.ts';
import { readRefund } from './read-refund.ts';
import { readSession } from './read-session.ts';
import { refund } from './refund.ts';
import { resolveCharge } from './resolve-charge.ts';
import type { StripeSettings, StripeTools, Timeouts } from './settings.ts';
import { defaultTimeouts } from './settings.ts';
import { unknown } from './unknown.ts';

export type StripeCards = {
  /** Cheap: the connections are shared. Throws, in plain words, for settings that may not be. */
  readonly railFor: (settings: StripeSettings) => CardRail;
  readonly close: () => Promise<void>;
};

/** The one connector to a card processor, real and simulated. Opening it touches no network. */
export const openStripe = (
  tools: StripeTools,
  timeouts: Timeouts = defaultTimeouts,
): StripeCards => {
  const connections = openConnections(timeouts);
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
    return cardRail({ settings, tools, stripe });
  };
  return { railFor, close: connections.close };
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

const cardRail = (account: Account): CardRail => ({
  accountKey: account.settings.accountKey ?? simulated,
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
