import { workOn } from './bank-steps.ts';
import type { ModelPayment } from './model.ts';
import type { Money, Weather } from './open-money.ts';

/**
 * The bank's account report lists what arrived for a payment, once or twice; of one that it rejected
 * what it reversed too. Two programs read and match.
 */
export const listCredit = async (
  money: Money,
  payment: ModelPayment,
  copies: 1 | 2,
  weather: Weather,
): Promise<void> => {
  const isRejected = payment.status === 'FAILED';
  money.hub.listPayment(payment.idempotencyId, payment.totalPence, { isRejected, copies });
  payment.listed = isRejected ? 'CREDIT_AND_DEBIT' : 'CREDIT';
  await money.together(weather, [workOn(2), workOn(2)]);
};

/** It debits again what had arrived for a payment, and says nothing of the payment itself. */
export const takeBack = async (
  money: Money,
  payment: ModelPayment,
  copies: 1 | 2,
  weather: Weather,
): Promise<void> => {
  money.hub.takeBack(payment.idempotencyId, payment.totalPence, copies);
  await money.together(weather, [workOn(2), workOn(2)]);
  Object.assign(payment, {
    ...{ status: 'FAILED', isSettled: false, listed: 'CREDIT_AND_DEBIT', isTakenBack: true },
  });
};
