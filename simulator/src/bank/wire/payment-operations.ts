import { confirmFunds, createConsent } from '../payments/payment-consents.ts';
import { submitPayment } from '../payments/submit-payment.ts';
import type { Consent, KeyClaim, Payment } from '../ports.ts';
import { badRequest, Refusal } from '../refusal.ts';
import { checkAccess, checkHeaders, idempotencyKeyOf } from './check-request.ts';
import { linkTo, type Operation, type PaymentCall } from './payment-call.ts';
import { contentHash, parseJsonBody } from './read-body.ts';
import { consentReply, fundsReply, paymentDetailsReply, paymentReply } from './replies.ts';
import { readConsentRequest, readPaymentRequest } from './requests.ts';
import { verifyMessage } from './sign-message.ts';

export const postConsent: Operation = async (call) => {
  const { bank, request } = call;
  const access = await checkAccess(bank, request, 'client', 'payments');
  const { body, claim } = readSigned(call, 'consent', access.clientId);
  const caller = { bank: bank.profile, clientId: access.clientId };
  const terms = readConsentRequest(bank.profile, call.version, body);
  const consent = await createConsent(bank.tools, caller, terms, claim);
  return { status: 201, body: consentReply(call, consent, consentAddress(call, consent)) };
};

export const getConsent: Operation = async (call) => {
  const access = await checkAccess(call.bank, call.request, 'client', 'payments');
  checkHeaders(call.bank.profile, call.request.headers, false);
  const consent = await findConsent(call, call.id, access.clientId);
  return { status: 200, body: consentReply(call, consent, consentAddress(call, consent)) };
};

export const getFundsConfirmation: Operation = async (call) => {
  const { bank, id, version } = call;
  if (!bank.profile.wire.confirmsFunds) throw new Refusal(404, []);
  const access = await checkAccess(bank, call.request, 'customer', 'payments');
  checkHeaders(call.bank.profile, call.request.headers, false);
  const caller = { bank: bank.profile, clientId: access.clientId };
  const authorised = access.consentId ?? '';
  const funds = await confirmFunds(bank.tools, caller, version, authorised, id);
  const self = linkTo(call, `/domestic-payment-consents/${id}/funds-confirmation`);
  return { status: 200, body: fundsReply(funds, self) };
};

export const postPayment: Operation = async (call) => {
  const { bank, request } = call;
  const access = await checkAccess(bank, request, 'customer', 'payments');
  const { body, claim } = readSigned(call, 'payment', access.clientId);
  const caller = { bank: bank.profile, clientId: access.clientId };
  const order = readPaymentRequest(call.version, body);
  const done = await submitPayment(bank.tools, caller, access.consentId ?? '', order, claim);
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

const readSigned = (call: PaymentCall, operation: KeyClaim['operation'], clientId: string) => {
  const { bank, request } = call;
  const now = bank.tools.clock.now();
  checkHeaders(bank.profile, request.headers, true);
  const key = idempotencyKeyOf(request.headers);
  const signature = request.headers['x-jws-signature'];
  verifyMessage(
    signature?.toString(),
    call.body,
    bank.verifier,
    now,
    bank.profile.wire.signsRawBody,
  );
  const body = parseJsonBody(call.body);
  const claim: KeyClaim = {
    ...{ bankId: bank.profile.id, clientId, operation, key },
    bodyHash: contentHash(body),
    at: now,
  };
  return { body, claim };
};

const findConsent = async (call: PaymentCall, id: string, clientId: string): Promise<Consent> => {
  const { bank } = call;
  const consent = await bank.tools.store.findConsent(bank.profile.id, id);
  if (consent?.clientId !== clientId || consent.version !== call.version) {
    throw badRequest('U011', 'There is no such consent.', 'ConsentId');
  }
  return consent;
};

const findPayment = async (call: PaymentCall): Promise<{ payment: Payment; consent: Consent }> => {
  const { bank, id } = call;
  const access = await checkAccess(bank, call.request, 'client', 'payments');
  checkHeaders(call.bank.profile, call.request.headers, false);
  const payment = await bank.tools.store.findPayment(bank.profile.id, id);
  if (!payment) throw badRequest('U011', 'There is no such payment.', 'DomesticPaymentId');
  return { payment, consent: await findConsent(call, payment.consentId, access.clientId) };
};

const consentAddress = (call: PaymentCall, consent: Consent): string =>
  linkTo(call, `/domestic-payment-consents/${consent.id}`);
