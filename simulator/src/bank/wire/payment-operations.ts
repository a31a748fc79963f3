import type { Consent, KeyClaim } from '../model.ts';
import { type OrderKind, orderKinds } from '../payments/order-kinds.ts';
import { confirmFunds, createConsent } from '../payments/payment-consents.ts';
import { submitPayment } from '../payments/submit-payment.ts';
import { badRequest, Refusal } from '../refusal.ts';
import { type Call, linkTo, type Operation, type Route } from './call.ts';
import { admit, idempotencyKeyOf } from './check-request.ts';
import { contentHash, parseJsonBody } from './read-body.ts';
import { consentReply, fundsReply, paymentDetailsReply, paymentReply } from './replies.ts';
import { readConsentRequest, readPaymentRequest } from './requests.ts';
import { verifyMessage } from './sign-message.ts';

const postConsent =
  (kind: OrderKind): Operation =>
  async (call) => {
    const { clientId } = await admit(call, 'client', 'payments');
    const { body, claim } = readSigned(call, 'consent', clientId);
    const { bank, version } = call;
    const terms = readConsentRequest(bank, kind, version, body);
    const consent = await createConsent(bank, kind, terms, claim);
    return { status: 201, body: consentReply(call, consent) };
  };

const getConsent =
  (kind: OrderKind): Operation =>
  async (call) => {
    const { clientId } = await admit(call, 'client', 'payments');
    const consent = await findConsent(call, kind, call.id, clientId);
    return { status: 200, body: consentReply(call, consent) };
  };

const getFundsConfirmation: Operation = async (call) => {
  const { bank, id, version } = call;
  if (!bank.profile.wire.confirmsFunds) throw new Refusal(404, []);
  const { consentId } = await admit(call, 'customer', 'payments');
  const funds = await confirmFunds(bank, version, consentId, id);
  const self = linkTo(call, `/domestic-payment-consents/${id}/funds-confirmation`);
  return { status: 200, body: fundsReply(funds, self) };
};

const postPayment =
  (kind: OrderKind): Operation =>
  async (call) => {
    const { clientId, consentId } = await admit(call, 'customer', 'payments');
    const { body, claim } = readSigned(call, 'payment', clientId);
    const order = readPaymentRequest(kind, call.version, body);
    const done = await submitPayment(call.bank, consentId, order, claim);
    return {
      status: 201,
      body: paymentReply(call, done.payment, done.consent),
      delayMs: done.answerDelayMs,
      cutConnection: done.connection === 'cut',
    };
  };

const getPayment =
  (kind: OrderKind): Operation =>
  async (call) => {
    const { payment, consent } = await findPayment(call, kind);
    return { status: 200, body: paymentReply(call, payment, consent) };
  };

const getPaymentDetails =
  (kind: OrderKind): Operation =>
  async (call) => {
    const { payment, consent } = await findPayment(call, kind);
    return { status: 200, body: paymentDetailsReply(call, payment, consent) };
  };

const routesOf = (kind: OrderKind): readonly Route[] => {
  const at = (path: string) => new RegExp(`^/${path}$`);
  return [
    { path: at(kind.consents), methods: { POST: postConsent(kind) } },
    { path: at(`${kind.consents}/([^/]+)`), methods: { GET: getConsent(kind) } },
    { path: at(kind.orders), methods: { POST: postPayment(kind) } },
    { path: at(`${kind.orders}/([^/]+)`), methods: { GET: getPayment(kind) } },
    {
      path: at(`${kind.orders}/([^/]+)/payment-details`),
      methods: { GET: getPaymentDetails(kind) },
    },
  ];
};

export const paymentRoutes: readonly Route[] = [
  ...orderKinds.flatMap(routesOf),
  {
    path: /^\/domestic-payment-consents\/([^/]+)\/funds-confirmation$/,
    methods: { GET: getFundsConfirmation },
  },
];

const readSigned = (call: Call, operation: KeyClaim['operation'], clientId: string) => {
  const key = idempotencyKeyOf(call.request.headers);
  verifyMessage(call);
  const body = parseJsonBody(call.body);
  const { profile, tools } = call.bank;
  const claim: KeyClaim = {
    ...{ bankId: profile.id, clientId, operation, key },
    bodyHash: contentHash(body),
    at: tools.clock.now(),
  };
  return { body, claim };
};

const findConsent = async (
  call: Call,
  kind: OrderKind,
  id: string,
  clientId: string,
): Promise<Consent> => {
  const { tools, profile } = call.bank;
  const isOfKind = id.startsWith(kind.consentPrefix);
  const consent = isOfKind ? await tools.store.findConsent(profile.id, id) : undefined;
  if (consent?.clientId !== clientId || consent.version !== call.version) {
    throw badRequest('U011', 'There is no such consent.', 'ConsentId');
  }
  return consent;
};

const findPayment = async (call: Call, kind: OrderKind) => {
  const { bank, id } = call;
  const { clientId } = await admit(call, 'client', 'payments');
  const isOfKind = id.startsWith(kind.orderPrefix);
  const payment = isOfKind ? await bank.tools.store.findPayment(bank.profile.id, id) : undefined;
  if (!payment) throw badRequest('U011', 'There is no such payment.', kind.orderId);
  return { payment, consent: await findConsent(call, kind, payment.consentId, clientId) };
};
