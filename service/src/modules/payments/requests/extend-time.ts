import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { changePayment } from '../core/change-payment.ts';
import { isPastExpiry, type Payment } from '../core/payment.ts';

/** Extends the request by `expiresIn`; the expiry is emitted at the new end only. */
export const extendTime = (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Payment> =>
  changePayment(tools, tenant, paymentRequestId, (payment, change) => {
    if (!canExtend(payment)) return false;
    change.payment = {
      ...payment,
      timeExtensions: payment.timeExtensions + 1,
      expiresBusinessAt: new Date(payment.expiresBusinessAt.getTime() + payment.expiresInMs),
    };
    change.history.push({
      subject: 'REQUEST',
      subjectId: paymentRequestId,
      fromStatus: payment.status,
      toStatus: payment.status,
      trigger: 'timeExtended',
      detail: change.payment.expiresBusinessAt.toISOString(),
    });
    return true;
  });

/** May a payer who needs longer have it (REQUEST-6)? */
export const canExtend = (payment: Payment): boolean =>
  payment.status === 'OPEN' &&
  !isPastExpiry(payment) &&
  !payment.strictExpiry &&
  payment.retryAllowed &&
  payment.timeExtensions < limits.timeExtensions;
