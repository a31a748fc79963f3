import { type Attempt, type Payment, totalPence } from '#modules/payments/index.ts';
import type { BankPaymentOrder } from '#rails/bank-rail.ts';
import type { StartOrder } from './start-bank-payment.ts';

const contextCode = 'EcommerceMerchantInitiatedPayment';
const referenceLength = 18;

/** What the payer's bank is asked to do. */
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
});

/** Of a reference, faster payments carry 18 characters of a plain alphabet. */
export const statementReference = (orderId: string): string => {
  const plain = orderId
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ./&-]/g, '')
    .trim()
    .slice(0, referenceLength)
    .trim();
  return plain === '' ? 'PAYMENT' : plain;
};
