import type { Tenant } from '#kernel/environment.ts';
import { missingPublicId } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { Payment } from './payment.ts';
import { loadPayment } from './store/load-payment.ts';

/** The caller's own payment; another merchant's answers like a missing one. */
export const findOwnPayment = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Payment> => {
  const payment = await loadPayment(tools.database, tenant, paymentRequestId);
  if (payment) return payment;
  const message = 'There is no payment request with this id.';
  throw await missingPublicId(tools, tenant, message, paymentRequestId, 'PAYMENT_REQUEST');
};
