import type Stripe from 'stripe';
import type { Unknown } from '#rails/bank-rail.ts';
import type { CardRefundOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import { callProcessor } from '../account/call-processor.ts';
import { isKeyAlive, isSettled, isStill } from '../account/is-key-alive.ts';
import type { RefundState } from '../account/rail-state.ts';
import { unanswered, unknown } from '../account/unknown.ts';
import { classifyRefund, refundNotMade } from './classify-refund.ts';
import { listRefunds } from './list-refunds.ts';
import { sendRefund } from './refund.ts';

/** The refund at the processor; a missing one is sent again if that cannot pay twice. */
export const readRefund = async (
  account: Account,
  state: RefundState,
): Promise<CardRefundOutcome> => {
  if (state.reference) return readById(account, state, state.reference);
  const found = await findRefund(account, state);
  if (found === 'ABSENT') return sendAgain(account, state);
  return 'kind' in found ? found : classifyRefund(state, found);
};

const readById = async (
  account: Account,
  state: RefundState,
  reference: string,
): Promise<CardRefundOutcome> => {
  const call = { operation: 'read refund', subject: state.refundId };
  const answer = await callProcessor(account, call, (stripe) => stripe.refunds.retrieve(reference));
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'REFUSED')
    return unknown(`The card processor does not show the refund (${answer.code}).`);
  return classifyRefund(state, answer.value);
};

const findRefund = async (
  account: Account,
  state: RefundState,
): Promise<Stripe.Refund | 'ABSENT' | Unknown> => {
  const call = { operation: 'find refund', subject: state.refundId };
  const isOurs = ({ metadata }: Stripe.Refund): boolean => metadata?.refundId === state.refundId;
  const listed = await listRefunds(account, call, state.paymentId, isOurs);
  if (listed.kind === 'UNKNOWN') return listed;
  const refund = listed.refunds.find(isOurs);
  if (refund) return refund;
  return listed.isComplete ? 'ABSENT' : unknown('There are too many refunds to find this one.');
};

const sendAgain = async (account: Account, state: RefundState): Promise<CardRefundOutcome> => {
  const ageMs = account.tools.clock.now().getTime() - state.preparedAt;
  if (!isKeyAlive(ageMs))
    return isSettled(ageMs)
      ? refundNotMade(state, 'NOT_SENT')
      : unknown('The refund may still be on its way.');
  const answer = await sendRefund(account, state);
  if (answer.kind === 'ANSWER') return classifyRefund(state, answer.value);
  if (answer.kind === 'REFUSED') {
    const isAboutUs = answer.status === 401 || answer.status === 403;
    return isStill(ageMs) && !isAboutUs
      ? refundNotMade(state, answer.code)
      : unknown(`The card processor does not make the refund now (${answer.code}).`);
  }
  return unanswered(answer.why);
};
