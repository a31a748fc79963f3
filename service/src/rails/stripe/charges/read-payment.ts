import type Stripe from 'stripe';
import type { CardOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import { callProcessor } from '../account/call-processor.ts';
import type { PaymentState } from '../account/rail-state.ts';
import { unanswered, unknown } from '../account/unknown.ts';
import { classifyPayment, paymentParts } from '../outcomes/classify-payment.ts';
import { readSession } from '../sessions/read-session.ts';
import { findCharge } from './find-charge.ts';

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
