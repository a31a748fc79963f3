import type Stripe from 'stripe';
import type { CardRail } from '#rails/card-rail.ts';
import type { Timeouts } from '#rails/http-limits.ts';
import { onState } from '#rails/rail-state.ts';
import { type Account, unknown } from './account/call-processor.ts';
import { openConnections } from './account/open-connections.ts';
import { readPaymentState, readRefundState } from './account/payment-state.ts';
import { readAccount } from './account/read-account.ts';
import { type KnownAccounts, knownAccounts } from './account/read-wallets.ts';
import {
  checkSettings,
  defaultTimeouts,
  type StripeSettings,
  type StripeTools,
} from './account/settings.ts';
import { cancel, capture, resolveCancel, resolveCapture } from './charges/change-payment.ts';
import { charge, prepareCharge, resolveCharge } from './charges/charge.ts';
import { readPayment } from './charges/read-payment.ts';
import { createCustomer, deleteCustomer, detachCard } from './customers.ts';
import { answerDispute, readDispute, uploadEvidence } from './disputes.ts';
import { estimateExpiry } from './outcomes/card-facts.ts';
import { listEvents, readEvent } from './read-event.ts';
import { prepareRefund, readRefund, readRefunds, refund } from './refunds.ts';
import { challengeFrames, expireSession, fieldsOf, openSession, readSession } from './sessions.ts';

export type StripeCards = ReturnType<typeof openStripe>;

/** The one connector to a card processor, real and simulated. Opening it touches no network. */
export const openStripe = (tools: StripeTools, timeouts: Timeouts = defaultTimeouts) => {
  const connections = openConnections(timeouts);
  const known = knownAccounts();
  /** Cheap: the connections are shared. Throws for invalid settings. */
  const railFor = (settings: StripeSettings): CardRail => {
    const wrong = checkSettings(settings);
    if (wrong.length > 0) throw new Error(wrong.join(' '));
    const open = async (): Promise<Stripe> => {
      // Loaded by the first call: 6 MB, and most payments are by bank.
      const { default: Sdk } = await import('stripe');
      return new Sdk(settings.secretKey, {
        ...addressOf(settings.apiUrl),
        httpClient: connections.client,
        maxNetworkRetries: 0,
        telemetry: false,
        timeout: timeouts.totalMs,
      });
    };
    let opened: Promise<Stripe> | null = null;
    const stripe = (): Promise<Stripe> => {
      opened ??= open();
      return opened;
    };
    return cardRail({ settings, tools, stripe }, known);
  };
  const close = async (): Promise<void> => {
    await connections.close();
    await known.close();
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

const cardRail = (account: Account, known: KnownAccounts): CardRail => {
  const find = <State>(state: State | null) => (state ? { on: account, state } : foreign);
  const onPayment = onState((text) => find(readPaymentState(text)));
  const onRefund = onState((text) => find(readRefundState(text)));
  const onEither = onState((text) => find(readPaymentState(text) ?? readRefundState(text)));
  return {
    accountKey: account.settings.accountKey ?? simulated,
    accepts: () => ({ brands: acceptedBrands, ...known.of(account) }),
    ...(account.settings.publishableKey !== undefined && {
      fieldsOf: (state: string) => fieldsOf(account.settings, readPaymentState(state)),
      challengeFrames: challengeFrames(account.settings),
    }),
    readAccount: () => readAccount(account),
    openSession: (order) => openSession(account, order),
    readSession: onPayment(readSession),
    expireSession: onPayment(expireSession),
    prepareCharge: (order) => prepareCharge(account, order),
    charge: onPayment(charge),
    resolveCharge: onPayment(resolveCharge),
    readPayment: onPayment(readPayment),
    capture: onPayment(capture),
    resolveCapture: onPayment(resolveCapture),
    cancel: onPayment(cancel),
    resolveCancel: onPayment(resolveCancel),
    prepareRefund: (text, order) => prepareRefund(account, readPaymentState(text), order),
    refund: onRefund(refund),
    readRefund: onRefund(readRefund),
    readRefunds: onEither(readRefunds),
    createCustomer: (order) => createCustomer(account, order),
    detachCard: (reference) => detachCard(account, reference),
    deleteCustomer: (reference) => deleteCustomer(account, reference),
    readDispute: (reference) => readDispute(account, reference),
    uploadEvidence: (file) => uploadEvidence(account, file),
    answerDispute: (answer) => answerDispute(account, answer),
    listEvents: (since) => listEvents(account, since),
    readEvent: (body, signature) => readEvent(account, body, signature),
    estimateExpiry,
  };
};

const foreign = unknown('What is known of this card payment cannot be read.');

const acceptedBrands = ['Visa', 'Mastercard', 'American Express'];
