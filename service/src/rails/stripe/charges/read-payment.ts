import type Stripe from 'stripe';
import type { Unknown } from '#rails/bank-rail.ts';
import type { CardOutcome } from '#rails/card-rail.ts';
import { type Account, callProcessor, unanswered, unknown } from '../account/call-processor.ts';
import type { ChargeState, PaymentState } from '../account/payment-state.ts';
import { classifyPayment, paymentParts } from '../outcomes/classify-payment.ts';
import { readSession } from '../sessions.ts';

export const readPayment = async (account: Account, state: PaymentState): Promise<CardOutcome> => {
  if (state.paymentId) return readById(account, state, state.paymentId);
  if (state.kind === 'SESSION') return readSession(account, state);
  const found = await findCharge(account, state);
  if (found.kind === 'FOUND') return classifyPayment(state, found.intent);
  return found.kind === 'ABSENT'
    ? unknown('The card processor does not know this payment yet.')
    : found;
};

const readById = async (
  account: Account,
  state: PaymentState,
  paymentId: string,
): Promise<CardOutcome> => {
  const call = { operation: 'read payment', subject: state.attemptId };
  const answer = await callProcessor(account, call, (stripe) =>
    stripe.paymentIntents.retrieve(paymentId, { expand: paymentParts }),
  );
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'REFUSED')
    return unknown(`The card processor does not show the payment (${answer.code}).`);
  return classifyPayment(state, answer.value as Stripe.PaymentIntent);
};

type FoundCharge =
  | { readonly kind: 'FOUND'; readonly intent: Stripe.PaymentIntent }
  /** Every payment of this customer since then was looked at. */
  | { readonly kind: 'ABSENT' }
  | Unknown;

const pageSize = 100;
const pagesMax = 10;
// Our clock and the processor's may disagree by this much.
const clocksDifferMs = 3_600_000;

/**
 * Finds a charge by our attempt id. A list and not the search, which lags behind: a charge missing
 * in the list was not created.
 */
export const findCharge = async (account: Account, state: ChargeState): Promise<FoundCharge> => {
  const since = Math.floor((state.preparedAt - clocksDifferMs) / 1000);
  let after: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const answer = await callProcessor(
      account,
      { operation: 'find charge', subject: state.attemptId },
      (stripe) =>
        stripe.paymentIntents.list({
          customer: state.customerId,
          created: { gte: since },
          limit: pageSize,
          expand: ['data.latest_charge'],
          ...(after && { starting_after: after }),
        }),
    );
    if (answer.kind === 'NOTHING') return unanswered(answer.why);
    if (answer.kind === 'REFUSED')
      return unknown(`The card processor does not list the payments (${answer.code}).`);
    const { data, has_more: hasMore } = answer.value;
    const intent = data.find(({ metadata }) => metadata?.attemptId === state.attemptId);
    if (intent) return { kind: 'FOUND', intent };
    const last = data.at(-1);
    if (!hasMore || !last || last.created < since) return { kind: 'ABSENT' };
    after = last.id;
  }
  return unknown('The customer has too many payments to find this one among them.');
};
