import { isIP } from 'node:net';
import { poundsText } from '#kernel/pence.ts';
import type { BankPaymentOrder, ConsentOutcome } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { callAsClient } from '../bank/call-as-client.ts';
import { faultName } from '../bank/call-bank.ts';
import { classifyRefusal, refusal, unanswered, unknown } from '../bank/classify-refusal.ts';
import type { RailState } from '../bank/rail-state.ts';
import { writeRailState } from '../bank/rail-state.ts';
import type { ConsentAnswer } from '../messages/codec.ts';
import { newAuthorisation } from './new-authorisation.ts';
import { oauthRefusalCode } from './oauth-refusal-code.ts';

/** Requests a consent from the bank, and the address where the payer approves it. */
export const createConsent = async (
  bank: Bank,
  order: BankPaymentOrder,
): Promise<ConsentOutcome> => {
  const { profile, codec, tools } = bank;
  const interactionId = tools.ids.uuid();
  const payer = payerOf(order);
  const body = codec.consentBody(order, {
    readRefundAccount: profile.readRefundAccount,
    saysContractPresent: !profile.quirks.includes('noContractPresentIndicator'),
    ...(profile.referenceLengthMax && { referenceLengthMax: profile.referenceLengthMax }),
    ...(profile.contextCode && { contextCode: profile.contextCode }),
  });
  const answer = await callAsClient(bank, {
    operation: 'create consent',
    path: '/domestic-payment-consents',
    interactionId,
    ...payer,
    submission: { body, idempotencyKey: `c-${order.instructionId}` },
  });
  if (answer.kind === 'NOTHING')
    return answer.isSent ? unanswered(answer.why) : refusal('BANK_UNAVAILABLE');
  if (answer.status >= 300) return classifyRefusal(bank, answer);
  const consent = codec.readConsent(answer.body);
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
    body: codec.paymentBody(consent.consentId, body),
    idempotencyKey: `p-${order.instructionId}`,
    ...payer,
    authorisation: newAuthorisation(bank, order.oauthState),
  };
  return authorise(bank, state, order.loginHint);
};

const authorise = async (
  bank: Bank,
  state: RailState & Required<Pick<RailState, 'authorisation'>>,
  loginHint: string | undefined,
): Promise<ConsentOutcome> => {
  try {
    const authorisationUrl = await bank.requestAuthorisation(bank, {
      consentId: state.consentId,
      authorisation: state.authorisation,
      scope: 'payments',
      redirectUri: bank.client.redirectUri,
      loginHint,
    });
    return {
      kind: 'CREATED',
      state: writeRailState(state),
      reference: state.consentId,
      authorisationUrl,
      interactionId: state.interactionId,
    };
  } catch (error) {
    const code = oauthRefusalCode(error);
    const why = code ?? faultName(error);
    const line = { bank: bank.profile.id, operation: 'request authorisation', why };
    bank.tools.log.warn({ ...line, interactionId: state.interactionId }, 'bank gave no address');
    return code ? refusal('AUTHORISATION_REFUSED') : unanswered(why);
  }
};

const findConsentFault = (consent: ConsentAnswer, amount: string): string | null => {
  if (consent.amount && consent.amount !== amount) return 'The consent is for another amount.';
  // A repeat of the same order may find the consent in a later state.
  if (consent.status !== 'AWAITING') return 'The consent is not waiting for the payer.';
  return null;
};

/** Only what fits into a header of the standard. */
const payerOf = (order: BankPaymentOrder): Pick<RailState, 'payerAddress' | 'payerUserAgent'> => {
  const address = order.payerAddress && isIP(order.payerAddress) ? order.payerAddress : undefined;
  const userAgent = order.payerUserAgent
    ?.replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 400);
  return {
    ...(address && { payerAddress: address }),
    ...(userAgent && { payerUserAgent: userAgent }),
  };
};
