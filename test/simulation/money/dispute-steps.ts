import type { Pence } from '../../../service/src/kernel/pence.ts';
import { recordDispute } from '../../../service/src/modules/payments/card/disputes.ts';
import { leftPence, type Model, type ModelDispute, type ModelPayment } from './model.ts';
import type { Money, Operation, Weather } from './open-money.ts';

/** Its card holder contests what is left of it; an open dispute is won or lost. Reported twice at once. */
export const moveDispute = async (
  model: Model,
  money: Money,
  payment: ModelPayment,
  ending: 'WON' | 'LOST',
  weather: Weather,
): Promise<void> => {
  const { dispute } = payment;
  const reference = `dp_${payment.attemptId}`;
  const opened = { reference, pence: leftPence(model, payment), status: 'OPEN' } as const;
  const after: ModelDispute = dispute ? { ...dispute, status: ending } : opened;
  const report = reporting(money, payment, after);
  // One that was read before it ended, and is written after it.
  const late = dispute ? [reporting(money, payment, dispute)] : [];
  await money.together(weather, [report, ...late, report]);
  for (const each of [report, ...late]) await each(money.calm);
  payment.dispute = after;
};

const reporting =
  (
    { tenant }: Money,
    { requestId: paymentRequestId, attemptId }: ModelPayment,
    { reference, status, pence }: ModelDispute,
  ): Operation<unknown> =>
  (tools) =>
    recordDispute(tools, { tenant, paymentRequestId, attemptId }, reference, {
      ...{ kind: 'DISPUTE', status, amountPence: pence as Pence, attemptId },
      ...{ paymentReference: `pi_${attemptId}`, reason: 'fraudulent', respondBy: null },
      submissions: 0,
    });
