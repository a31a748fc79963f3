import { poundsText } from '#kernel/pence.ts';
import type { BankPaymentOrder, ConsentOutcome, ExchangeOutcome } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import {
  callAsClient,
  callBank,
  classifyRefusal,
  payerOf,
  refusal,
  unanswered,
  unknown,
} from '../bank/call-bank.ts';
import { type ConsentAnswer, readConsent, readFunds } from '../messages/read-payment-answers.ts';
import { consentBody, paymentBody } from '../messages/write-domestic-payment.ts';
import type { PaymentState } from './payment-state.ts';
import { exchangeCode, newAuthorisation, openVisit } from './visit.ts';

/** Requests a consent from the bank, and the address where the payer approves it. */
export const createConsent = async (
  bank: Bank,
  order: BankPaymentOrder,
): Promise<ConsentOutcome> => {
  const { profile, tools } = bank;
  const interactionId = order.requestId ?? tools.ids.uuid();
  const payer = payerOf(order.payerAddress, order.payerUserAgent);
  const body = consentBody(order, {
    ...profile,
    saysContractPresent: !profile.quirks.includes('noContractPresentIndicator'),
  });
  const answer = await callAsClient(bank, {
    api: 'payments',
    operation: 'create consent',
    method: 'POST',
    path: '/domestic-payment-consents',
    interactionId,
    ...payer,
    body,
    idempotencyKey: `c-${order.instructionId}`,
  });
  if (answer.kind === 'NOTHING')
    return answer.isSent ? unanswered(answer.why) : refusal('BANK_UNAVAILABLE');
  if (answer.status >= 300) return classifyRefusal(answer);
  const consent = readConsent(answer.body);
  if (!consent) return unknown('The answer of the bank is no consent.');
  const amount = poundsText(order.amountPence);
  const fault = findConsentFault(consent, amount);
  if (fault) return unknown(fault);
  const state = {
    v: 1 as const,
    bankId: profile.id,
    version: profile.version,
    interactionId,
    consentId: consent.consentId,
    amount,
    body: paymentBody(consent.consentId, body),
    idempotencyKey: `p-${order.instructionId}`,
    ...payer,
    authorisation: newAuthorisation(bank, 'payments', order.oauthState),
  } satisfies PaymentState;
  return openVisit(bank, state, 'payments', order.loginHint);
};

const findConsentFault = (consent: ConsentAnswer, amount: string): string | null => {
  if (consent.amount && consent.amount !== amount) return 'The consent is for another amount.';
  // A repeat of the same order may find the consent in a later state.
  if (consent.status !== 'AWAITING') return 'The consent is not waiting for the payer.';
  return null;
};

/** The payer's code for a token that pays this one consent. No money moves here. */
export const exchange = async (
  bank: Bank,
  state: PaymentState,
  code: string,
): Promise<ExchangeOutcome> => {
  const exchanged = await exchangeCode(bank, state, 'payments', code);
  if (exchanged.kind !== 'GRANTED') return exchanged;
  const { clock } = bank.tools;
  const token = exchanged.granted.access_token;
  const { authorisation: _used, ...rest } = state;
  // A bank that says no before it is asked to pay saves the payer a rejected payment.
  const funds = bank.profile.fundsConfirmation ? await confirmFunds(bank, state, token) : null;
  if (funds && !funds.isAvailable) return refusal('AM04');
  return {
    kind: 'EXCHANGED',
    state: JSON.stringify({ ...rest, access: { token, obtainedAt: clock.now().getTime() } }),
    ...(funds && { fundsConfirmedAt: funds.at ?? clock.now() }),
  };
};

/** Asks whether the payer's account holds enough. Null: the bank did not say, which decides nothing. */
const confirmFunds = async (bank: Bank, state: PaymentState, token: string) => {
  const { consentId, interactionId, payerAddress, payerUserAgent } = state;
  const path = `/domestic-payment-consents/${encodeURIComponent(consentId)}/funds-confirmation`;
  const payer = { payerAddress, payerUserAgent };
  const call = { api: 'payments', operation: 'confirm funds', path, interactionId } as const;
  const answer = await callBank(bank, { ...call, ...payer }, token);
  return answer.kind === 'ANSWER' && answer.status === 200 ? readFunds(answer.body) : null;
};
