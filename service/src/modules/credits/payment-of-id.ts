import type { Environment, Tenant } from '#kernel/environment.ts';
import { findPublicId } from '#modules/merchants/index.ts';
import { type Attempt, loadPayment } from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';

export type PaymentOfId = {
  readonly tenant: Tenant;
  readonly paymentRequestId: string;
  readonly attemptId: string;
  readonly status: Attempt['status'];
  /** With the tip. */
  readonly amountPence: bigint;
};

/** The payment to the collecting account that a bank names by its end-to-end id. */
export const findPaymentOfId = async (
  tools: Uses<'database'>,
  environment: Environment,
  endToEndId: string,
): Promise<PaymentOfId | null> => {
  const known = await findPublicId(tools, endToEndId, 'ATTEMPT');
  if (known?.tenant.environment !== environment) return null;
  const { tenant, targetId: paymentRequestId } = known;
  const payment = await loadPayment(tools.database, tenant, paymentRequestId);
  const attempt = payment?.attempts.find((one) => one.paymentIdempotencyId === endToEndId);
  if (attempt?.settlesTo !== 'COLLECTING_ACCOUNT') return null;
  const { attemptId, status, amountPence, tipPence } = attempt;
  return { tenant, paymentRequestId, attemptId, status, amountPence: amountPence + tipPence };
};
