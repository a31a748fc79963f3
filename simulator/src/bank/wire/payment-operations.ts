import type { IncomingMessage } from 'node:http';
import type { Bank } from '../bank.ts';
import { confirmFunds } from '../payments/confirm-funds.ts';
import { createConsent } from '../payments/create-consent.ts';
import { submitPayment } from '../payments/submit-payment.ts';
import type { Consent, JsonObject, KeyClaim, Payment } from '../ports.ts';
import { badRequest } from '../refusal.ts';
import { checkAccess } from './check-access.ts';
import { checkHeaders, idempotencyKeyOf } from './check-headers.ts';
import { contentHash, parseJsonBody } from './parse-json-body.ts';
import { consentReply, fundsReply, paymentDetailsReply, paymentReply } from './replies.ts';
import { readConsentRequest, readPaymentRequest } from './requests.ts';
import { verifyMessage } from './sign-message.ts';

export type Call = {
  readonly bank: Bank;
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly id: string;
  readonly paymentsUrl: string;
};

export type Reply = {
  readonly status: number;
  readonly body: JsonObject;
  readonly delayMs?: number;
  readonly cutConnection?: boolean;
};

export type Operation = (call: Call) => Promise<Reply>;

export const postConsent: Operation = async (call) => {
  const { bank, request } = call;
  const access = await checkAccess(bank, request, 'client', 'payments');
  const { body, claim } = readSigned(call, 'consent', access.clientId);
  const caller = { bank: bank.profile, clientId: access.clientId };
  const consent = await createConsent(bank.tools, caller, readConsentRequest(body), claim);
  return { status: 201, body: consentReply(consent, consentAddress(call, consent)) };
};

export const getConsent: Operation = async (call) => {
  const access = await checkAccess(call.bank, call.request, 'client', 'payments');
  checkHeaders(call.request.headers, false);
  const consent = await findConsent(call, call.id, access.clientId);
  return { status: 200, body: consentReply(consent, consentAddress(call, consent)) };
};

export const getFundsConfirmation: Operation = async (call) => {
  const { bank, id } = call;
  const access = await checkAccess(bank, call.request, 'customer', 'payments');
  checkHeaders(call.request.headers, false);
  const caller = { bank: bank.profile, clientId: access.clientId };
  const funds = await confirmFunds(bank.tools, caller, access.consentId ?? '', id);
  const self = `${call.paymentsUrl}/domestic-payment-consents/${id}/funds-confirmation`;
  return { status: 200, body: fundsReply(funds, self) };
};

export const postPayment: Operation = async (call) => {
  const { bank, request } = call;
  const access = await checkAccess(bank, request, 'customer', 'payments');
  const { body, claim } = readSigned(call, 'payment', access.clientId);
  const caller = { bank: bank.profile, clientId: access.clientId };
  const order = readPaymentRequest(body);
  const done = await submitPayment(bank.tools, caller, access.consentId ?? '', order, claim);
  return {
    status: 201,
    body: paymentReply(done.payment, done.consent, ...standing(call, done.consent, done.payment)),
    delayMs: done.answerDelayMs,
    cutConnection: done.connection === 'cut',
  };
};

export const getPayment: Operation = async (call) => {
  const { payment, consent } = await findPayment(call);
  const [now, self] = standing(call, consent, payment);
  return { status: 200, body: paymentReply(payment, consent, now, self) };
};

export const getPaymentDetails: Operation = async (call) => {
  const { payment, consent } = await findPayment(call);
  const [now, self] = standing(call, consent, payment);
  const body = paymentDetailsReply(payment, consent, now, `${self}/payment-details`);
  return { status: 200, body };
};

const readSigned = (call: Call, operation: KeyClaim['operation'], clientId: string) => {
  const { bank, request } = call;
  const now = bank.tools.clock.now();
  checkHeaders(request.headers, true);
  const key = idempotencyKeyOf(request.headers);
  const signature = request.headers['x-jws-signature'];
  verifyMessage(signature?.toString(), call.body, bank.verifier, now);
  const body = parseJsonBody(call.body);
  const claim: KeyClaim = {
    ...{ bankId: bank.profile.id, clientId, operation, key },
    bodyHash: contentHash(body),
    at: now,
  };
  return { body, claim };
};

const findConsent = async (call: Call, id: string, clientId: string): Promise<Consent> => {
  const { bank } = call;
  const consent = await bank.tools.store.findConsent(bank.profile.id, id);
  if (consent?.clientId !== clientId) {
    throw badRequest('U011', 'There is no such consent.', 'ConsentId');
  }
  return consent;
};

const findPayment = async (call: Call): Promise<{ payment: Payment; consent: Consent }> => {
  const { bank, id } = call;
  const access = await checkAccess(bank, call.request, 'client', 'payments');
  checkHeaders(call.request.headers, false);
  const payment = await bank.tools.store.findPayment(bank.profile.id, id);
  if (!payment) throw badRequest('U011', 'There is no such payment.', 'DomesticPaymentId');
  return { payment, consent: await findConsent(call, payment.consentId, access.clientId) };
};

const standing = (call: Call, consent: Consent, payment: Payment): readonly [number, string] => {
  const now = call.bank.tools.clock.now() + consent.clockOffsetMs;
  return [now, `${call.paymentsUrl}/domestic-payments/${payment.id}`];
};

const consentAddress = (call: Call, consent: Consent): string =>
  `${call.paymentsUrl}/domestic-payment-consents/${consent.id}`;
