import { renderReceiptMail } from '@florin/checkout';
import { type CheckoutView, limits } from '@florin/contract';
import type { Attempt, Payment } from '#modules/payments/index.ts';
import { holdsCardNumber } from '#platform/card-numbers/holds-card-number.ts';
import type { Uses } from '#platform/tools.ts';
import { insertReceipt } from './store.ts';

const part = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const address = new RegExp(
  `^[^\\s@<>()\\[\\],;:"\\\\\\p{C}]{1,64}@(?:${part}\\.)+[a-z]{2,63}$`,
  'iu',
);

/**
 * Queues the receipt; the worker mails it. False: the limit of receipts for this payment is
 * reached.
 */
export const queueReceipt = async (
  { database, secrets }: Uses<'database' | 'secrets'>,
  payment: Payment,
  attempt: Attempt,
  recipient: string,
  view: Extract<CheckoutView, { page: 'RESULT' }>,
): Promise<boolean> => {
  const { attemptId } = attempt;
  const rows = await database.tenant(payment.tenant.merchantId, insertReceipt, {
    ...payment.tenant,
    ...renderReceiptMail(view),
    attemptId,
    paymentRequestId: payment.paymentRequestId,
    recipientEncrypted: secrets.encrypt(recipient, recipientContext(attemptId)),
    limit: limits.receiptMailsPerPayment,
  });
  return rows.length > 0;
};

export const recipientContext = (attemptId: string) => ({
  table: 'receipt_mail',
  row: attemptId,
  column: 'recipient_encrypted',
});

export const isEmailAddress = (text: string): boolean =>
  text.length <= limits.emailLength && address.test(text) && !holdsCardNumber(text);
