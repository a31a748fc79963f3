import type { Pence } from '#kernel/pence.ts';
import {
  type Attempt,
  type Payment,
  type ShareChoice,
  totalPence,
} from '#modules/payments/index.ts';
import type { BankPaymentOrder } from '#rails/bank-rail.ts';

/** The parameters of a payer's start. */
export type StartOrder = {
  readonly institutionId: string;
  readonly tipPence?: Pence;
  /** For a split bill; the rest by default. */
  readonly share?: ShareChoice;
  /** The share that the payer agreed to: if the amount has changed, nothing starts. */
  readonly expectedPence?: Pence;
  readonly payerAddress?: string;
  readonly payerUserAgent?: string;
  readonly applicationUserId?: string | null;
  readonly paymentDevice?: object | null;
  readonly loginHint?: string;
};

const contextCode = 'EcommerceMerchantInitiatedPayment';
const referenceLength = 18;

/** The order to the payer's bank. */
export const bankPaymentOrder = (
  payment: Payment,
  attempt: Attempt,
  order: StartOrder,
): BankPaymentOrder => ({
  institutionId: attempt.institutionId,
  endToEndId: attempt.paymentIdempotencyId,
  instructionId: attempt.attemptId.replaceAll('-', ''),
  amountPence: totalPence(attempt),
  creditor: attempt.creditor,
  reference: statementReference(payment.orderId),
  contextCode,
  merchantCategoryCode: payment.merchant.categoryCode,
  merchantCustomerReference: payment.merchantCustomerReference,
  oauthState: attempt.oauthState ?? '',
  ...(order.payerAddress ? { payerAddress: order.payerAddress } : {}),
  ...(order.payerUserAgent ? { payerUserAgent: order.payerUserAgent } : {}),
  ...(order.loginHint ? { loginHint: order.loginHint } : {}),
});

/** Faster Payments carries 18 characters of a plain alphabet in a reference. */
export const statementReference = (orderId: string): string => {
  const plain = orderId
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ./&-]/g, '')
    .trim()
    .slice(0, referenceLength)
    .trim();
  return plain === '' ? 'PAYMENT' : plain;
};
