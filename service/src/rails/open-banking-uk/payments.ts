import type { BankStatus, PaymentOutcome, SubmitOutcome } from '#rails/bank-rail.ts';
import type { Bank } from './bank/bank.ts';
import {
  answeredWith,
  type BankAnswer,
  callAsClient,
  callBank,
  classifyRefusal,
  plainCode,
  refusal,
  unanswered,
  unknown,
} from './bank/call-bank.ts';
import type { PaymentState } from './consents/payment-state.ts';
import { sentenceFor } from './messages/bank-errors.ts';
import { isFailedStatus, isKnownStatus } from './messages/payment-status.ts';
import {
  type ConsentAnswer,
  type PaymentAnswer,
  readConsent,
  readPayment as readPaymentBody,
} from './messages/read-payment-answers.ts';

// The standard requires a client to wait a second before it repeats an idempotent message.
const repeatAfterMs = 1_000;

/** Sends the payment: the same bytes under the same key, however often this is called. */
export const submit = async (bank: Bank, state: PaymentState): Promise<SubmitOutcome> => {
  if (!state.access) return unknown('There is no token to pay with.');
  const first = await send(bank, state, state.access.token);
  const isRefusedToken = first.kind === 'ANSWER' && first.status === 401;
  if (!isRefusedToken) return classifySubmission(bank, state, first);
  // 401 means that the bank did not read the payment; it is sent once more, then left to the
  // resolver.
  await bank.tools.clock.sleep(repeatAfterMs);
  return classifySubmission(bank, state, await send(bank, state, state.access.token));
};

const send = (bank: Bank, state: PaymentState, token: string): Promise<BankAnswer> =>
  callBank(
    bank,
    {
      api: 'payments',
      operation: 'submit payment',
      method: 'POST',
      path: '/domestic-payments',
      interactionId: state.interactionId,
      payerAddress: state.payerAddress,
      payerUserAgent: state.payerUserAgent,
      body: state.body,
      idempotencyKey: state.idempotencyKey,
    },
    token,
  );

const classifySubmission = (bank: Bank, state: PaymentState, answer: BankAnswer): SubmitOutcome => {
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.status >= 300) return classifyRefusal(answer);
  const payment = readPaymentAnswer(bank, state, answer.body);
  if (!payment) return unknown('The answer of the bank is not this payment.');
  const { access: _spent, ...rest } = state;
  return {
    kind: 'ACCEPTED',
    state: JSON.stringify({ ...rest, paymentId: payment.paymentId }),
    status: payment.status,
    ...(bank.profile.eventsUrl !== undefined && { paymentReference: payment.paymentId }),
  };
};

// The standard keeps a key for 24 hours; an hour is left for clocks that disagree.
const keyLivesForMs = 23 * 3_600_000;
// No message of ours is still on its way after this.
const settledAfterMs = 600_000;

/**
 * Resolves a submission with an unknown outcome: polls first, and sends again only when that is
 * harmless.
 */
export const resolveSubmission = async (
  bank: Bank,
  state: PaymentState,
): Promise<SubmitOutcome> => {
  if (state.paymentId) {
    const outcome = await readPayment(bank, state);
    return outcome.kind === 'STATUS' ? { ...outcome, kind: 'ACCEPTED' } : outcome;
  }
  const answer = await callAsClient(bank, {
    api: 'payments',
    operation: 'read consent',
    path: `/domestic-payment-consents/${encodeURIComponent(state.consentId)}`,
    interactionId: state.interactionId,
  });
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  const consent = answer.status < 300 ? readConsent(answer.body) : null;
  if (!consent || consent.consentId !== state.consentId)
    return unknown('The bank does not say what became of the consent.');
  return resolveByConsent(bank, state, consent);
};

const resolveByConsent = (
  bank: Bank,
  state: PaymentState,
  consent: ConsentAnswer,
): Promise<SubmitOutcome> | SubmitOutcome => {
  switch (consent.status) {
    case 'REJECTED':
    case 'REVOKED':
    case 'EXPIRED':
      return refusal(consent.reasonCode ?? 'CONSENT_ENDED');
    case 'AWAITING':
      return unknown('The bank still waits for the payer.');
    case 'CONSUMED':
      return resolveConsumed(bank, state);
    case 'AUTHORISED':
      return resolveAuthorised(bank, state);
  }
};

/** Submitted: the equal message under its key answers the payment it created. */
const resolveConsumed = async (bank: Bank, state: PaymentState): Promise<SubmitOutcome> => {
  if (!state.access || ageOf(bank, state) > keyLivesForMs)
    return unknown('The payment exists at the bank, but can no longer be read: contact the bank.');
  const outcome = classifySubmission(bank, state, await send(bank, state, state.access.token));
  // The consent is used, so a refusal now concerns only the poll.
  return outcome.kind === 'REFUSED'
    ? unknown(`The payment exists at the bank, which will not show it (${outcome.code}).`)
    : outcome;
};

/** Not submitted, as far as the bank knows: the same message again cannot pay twice. */
const resolveAuthorised = async (bank: Bank, state: PaymentState): Promise<SubmitOutcome> => {
  if (!state.access) return unknown('There is no token to pay with.');
  const ageMs = ageOf(bank, state);
  if (ageMs > keyLivesForMs) return refusal('NOT_SUBMITTED');
  const answer = await send(bank, state, state.access.token);
  const isRefusedToken = answer.kind === 'ANSWER' && answer.status === 401;
  // Nothing on its way, nothing booked, and no token left that could pay: no money can move.
  if (isRefusedToken && ageMs > settledAfterMs) return refusal('NOT_SUBMITTED');
  return classifySubmission(bank, state, answer);
};

const ageOf = (bank: Bank, state: PaymentState): number =>
  bank.tools.clock.now().getTime() - (state.access?.obtainedAt ?? 0);

/** Polls the bank for the payment, without the payer. */
export const readPayment = async (bank: Bank, state: PaymentState): Promise<PaymentOutcome> => {
  if (!state.paymentId) return unknown('There is no payment to read yet.');
  const answer = await callAsClient(bank, {
    api: 'payments',
    operation: 'read payment',
    path: `/domestic-payments/${encodeURIComponent(state.paymentId)}`,
    interactionId: state.interactionId,
  });
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.status >= 300) return answeredWith(answer.status);
  const payment = readPaymentAnswer(bank, state, answer.body);
  if (!payment) return unknown('The answer of the bank is not this payment.');
  return { kind: 'STATUS', state: JSON.stringify(state), status: payment.status };
};

/** Null for anything that is not an answer about exactly this payment. */
const readPaymentAnswer = (
  bank: Bank,
  state: PaymentState,
  body: unknown,
): { readonly paymentId: string; readonly status: BankStatus } | null => {
  const answer = readPaymentBody(body);
  if (!answer) return null;
  const fault = findFault(answer, state);
  const { isoCode } = answer.status;
  const line = {
    bank: bank.profile.id,
    operation: 'read answer',
    why: fault ?? isoCode,
    interactionId: state.interactionId,
  };
  if (fault) {
    bank.tools.log.error(line, 'bank answered another');
    return null;
  }
  if (!isKnownStatus(isoCode)) bank.tools.log.warn(line, 'bank answered an unknown status');
  return { paymentId: answer.paymentId, status: statusOf(answer) };
};

const findFault = (answer: PaymentAnswer, state: PaymentState): string | null => {
  if (answer.consentId && answer.consentId !== state.consentId) return 'another consent';
  if (answer.amount && answer.amount !== state.amount) return 'another amount';
  if (state.paymentId && answer.paymentId !== state.paymentId) return 'another payment';
  return null;
};

const statusOf = (answer: PaymentAnswer): BankStatus => {
  const { status, changedAt, payer } = answer;
  const failure = isFailedStatus(status.isoCode) ? failureOf(answer) : {};
  return { ...status, changedAt, ...failure, ...(payer && { payer }) };
};

const failureOf = (answer: PaymentAnswer): Pick<BankStatus, 'errorCode' | 'errorDescription'> => {
  const code = answer.reasonCode ?? answer.status.isoCode;
  return { errorCode: plainCode(code), errorDescription: sentenceFor(code) };
};
