import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { type Change, draftChange } from './draft-change.ts';
import type { Payment } from './payment.ts';
import { commitChange } from './store/commit-change.ts';
import { loadPayment } from './store/load-payment.ts';

// Of concurrent changes of a payment one wins each round, so as many rounds suffice as there are
// contenders. The outcome of a call that was made must not be lost.
const maxTries = 50;

/**
 * One read, one decision, one guarded statement. `decide` is pure: it fills the draft and says
 * whether there is anything to write. After a lost race it decides again on the new state.
 */
export const changePayment = async (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  paymentRequestId: string,
  decide: (payment: Payment, change: Change) => boolean,
): Promise<Payment> => {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const payment = await loadPayment(tools.database, tenant, paymentRequestId);
    if (!payment) throw new Failure(failures.notFound);
    const change = draftChange(payment);
    if (!decide(payment, change)) return payment;
    const endpoints = await commitChange(tools.database, change);
    if (endpoints) {
      tools.wakeDispatcher(endpoints);
      return change.payment;
    }
  }
  throw new Failure(failures.unavailable, {
    message: 'The payment keeps changing. Read its status, then retry.',
    retryAfterSeconds: 1,
  });
};
