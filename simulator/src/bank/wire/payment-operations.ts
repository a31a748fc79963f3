import type { Consent, KeyClaim } from '../model.ts';
import { confirmFunds, createConsent } from '../payments/payment-consents.ts';
import { submitPayment } from '../payments/submit-payment.ts';
import { badRequest, Refusal } from '../refusal.ts';
import { type Call, linkTo, type Operation } from './call.ts';
import { admit, idempotencyKeyOf } from './check-request.ts';
import { contentHash, parseJsonBody } from './read-body.ts';
import { consentReply, fundsReply, paymentDetailsReply, paymentReply } from './replies.ts';
import { readConsentRequest, readPaymentRequest } from './requests.ts';
import { verifyMessage } from './sign-message.ts';

export const postConsent: Operation = async (call) => {
  const { clientId } = await admit(call, 'client', 'payments');
  const { body, claim } = readSigned(call, 'consent', clientId);
  const terms = readConsentRequest(call.bank.profile, call.version, body);
  const consent = await createConsent(call.bank, terms, claim);
  return { status: 201, body: consentReply(call, consent) };
};

export const getConsent: Operation = async (call) => {
  const { clientId } = await admit(call, 'client', 'payments');
  return { status: 200, body: consentReply(call, await findConsent(call, call.id, clientId)) };
};

export const getFundsConfirmation: Operation = async (call) => {
  const { bank, id, version } = call;
  if (!bank.profile.wire.confirmsFunds) throw new Refusal(404, []);
  const { consentId } = await admit(call, 'customer', 'payments');
  const funds = await confirmFunds(bank, version, consentId, id);
  const self = linkTo(call, `/domestic-payment-consents/${id}/funds-confirmation`);
  return { status: 200, body: fundsReply(funds, self) };
};

export const postPayment: Operation = async (call) => {
  const { clientId, consentId } = await admit(call, 'customer', 'payments');
  const { body, claim } = readSigned(call, 'payment', clientId);
  const order = readPaymentRequest(call.version, body);
  const done = await submitPayment(call.bank, consentId, order, claim);
  return {
    status: 201,
    body: paymentReply(call, done.payment, done.consent),
    delayMs: done.answerDelayMs,
    cutConnection: done.connection === 'cut',
  };
};

export const getPayment: Operation = async (call) => {
  const { payment, consent } = await findPayment(call);
  return { status: 200, body: paymentReply(call, payment, consent) };
};

export const getPaymentDetails: Operation = async (call) => {
  const { payment, consent } = await findPayment(call);
  return { status: 200, body: paymentDetailsReply(call, payment, consent) };
};

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

const findConsent = async (call: Call, id: string, clientId: string): Promise<Consent> => {
  const { tools, profile } = call.bank;
  const consent = await tools.store.findConsent(profile.id, id);
  if (consent?.clientId !== clientId || consent.version !== call.version) {
    throw badRequest('U011', 'There is no such consent.', 'ConsentId');
  }
  return consent;
};

const findPayment = async (call: Call) => {
  const { bank, id } = call;
  const { clientId } = await admit(call, 'client', 'payments');
  const payment = await bank.tools.store.findPayment(bank.profile.id, id);
  if (!payment) throw badRequest('U011', 'There is no such payment.', 'DomesticPaymentId');
  return { payment, consent: await findConsent(call, payment.consentId, clientId) };
};
