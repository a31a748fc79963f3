import type { SubmitOutcome } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { callAsClient } from '../bank/call-as-client.ts';
import { refusal, unanswered, unknown } from '../bank/classify-refusal.ts';
import type { RailState } from '../bank/rail-state.ts';
import type { ConsentAnswer } from '../messages/codec.ts';
import { readPayment } from './read-payment.ts';
import { classifySubmission, send } from './submit.ts';

// The standard keeps a key for 24 hours; an hour is left for clocks that disagree.
const keyLivesForMs = 23 * 3_600_000;
// No message of ours is still on its way after this.
const settledAfterMs = 600_000;

/**
 * Resolves a submission with an unknown outcome: polls first, and sends again only when that is
 * harmless.
 */
export const resolveSubmission = async (bank: Bank, state: RailState): Promise<SubmitOutcome> => {
  if (state.paymentId) return resolveByPayment(bank, state);
  const answer = await callAsClient(bank, {
    operation: 'read consent',
    path: `/domestic-payment-consents/${encodeURIComponent(state.consentId)}`,
    interactionId: state.interactionId,
  });
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  const consent = answer.status < 300 ? bank.codec.readConsent(answer.body) : null;
  if (!consent || consent.consentId !== state.consentId)
    return unknown('The bank does not say what became of the consent.');
  return resolveByConsent(bank, state, consent);
};

const resolveByPayment = async (bank: Bank, state: RailState): Promise<SubmitOutcome> => {
  const outcome = await readPayment(bank, state);
  return outcome.kind === 'STATUS' ? { ...outcome, kind: 'ACCEPTED' } : outcome;
};

const resolveByConsent = (
  bank: Bank,
  state: RailState,
  consent: ConsentAnswer,
): Promise<SubmitOutcome> | SubmitOutcome => {
  switch (consent.status) {
    case 'ENDED':
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
const resolveConsumed = async (bank: Bank, state: RailState): Promise<SubmitOutcome> => {
  if (!state.access || ageOf(bank, state) > keyLivesForMs)
    return unknown('The payment exists at the bank, but can no longer be read: contact the bank.');
  const outcome = classifySubmission(bank, state, await send(bank, state, state.access.token));
  // The consent is used, so a refusal now concerns only the poll.
  return outcome.kind === 'REFUSED'
    ? unknown(`The payment exists at the bank, which will not show it (${outcome.code}).`)
    : outcome;
};

/** Not submitted, as far as the bank knows: the same message again cannot pay twice. */
const resolveAuthorised = async (bank: Bank, state: RailState): Promise<SubmitOutcome> => {
  if (!state.access) return unknown('There is no token to pay with.');
  const ageMs = ageOf(bank, state);
  if (ageMs > keyLivesForMs) return refusal('NOT_SUBMITTED');
  const answer = await send(bank, state, state.access.token);
  const isRefusedToken = answer.kind === 'ANSWER' && answer.status === 401;
  // Nothing on its way, nothing booked, and no token left that could pay: no money can move.
  if (isRefusedToken && ageMs > settledAfterMs) return refusal('NOT_SUBMITTED');
  return classifySubmission(bank, state, answer);
};

const ageOf = (bank: Bank, state: RailState): number =>
  bank.tools.clock.now().getTime() - (state.access?.obtainedAt ?? 0);
