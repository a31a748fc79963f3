import type { CardChargeOrder, CardOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import type { PaymentState } from '../account/rail-state.ts';
import { writeState } from '../account/rail-state.ts';
import { unknown } from '../account/unknown.ts';
import { resolveCharge } from './resolve-charge.ts';
import { classifySent, failed, sendCharge } from './send-charge.ts';

// An older preparation may have been sent by a dead worker: check before sending.
const freshForMs = 600_000;

export const prepareCharge = ({ tools }: Account, order: CardChargeOrder): string =>
  writeState({
    v: 1,
    kind: 'CHARGE',
    preparedAt: tools.clock.now().getTime(),
    attemptId: order.attemptId,
    paymentRequestId: order.paymentRequestId,
    amount: Number(order.amountPence),
    description: order.description,
    captureMethod: order.captureMethod,
    customerId: order.customerReference,
    cardId: order.cardReference,
    recurrenceType: order.recurrenceType,
    initiator: order.initiator,
    ...(order.initiator === 'CUSTOMER' && { returnUrl: order.returnUrl }),
  });

/** Charges the saved card: one payment per attempt, however often this is called. */
export const charge = async (account: Account, state: PaymentState): Promise<CardOutcome> => {
  if (state.kind !== 'CHARGE') return unknown('This payment is made on a page.');
  const ageMs = account.tools.clock.now().getTime() - state.preparedAt;
  if (state.paymentId || ageMs > freshForMs) return resolveCharge(account, state);
  const answer = await sendCharge(account, state);
  return answer.kind === 'REFUSED' ? failed(state, answer) : classifySent(state, answer);
};
