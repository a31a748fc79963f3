import type { PayerMail } from '@florin/checkout';
import { limits } from '@florin/contract';
import type { Payment } from '#modules/payments/index.ts';
import { holdsCardNumber } from '#platform/card-numbers/mask-card-numbers.ts';
import { isUniqueViolation } from '#platform/database/database-unavailable.ts';
import type { IdempotencyKey } from '#platform/http/route.ts';
import { type EncryptedColumn, encryptedColumn } from '#platform/secrets/reencrypt-records.ts';
import type { Uses } from '#platform/tools.ts';
import { countLinkMails, insertLinkMail, insertReceipt } from './store.ts';

const part = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const address = new RegExp(
  `^[^\\s@<>()\\[\\],;:"\\\\\\p{C}]{1,64}@(?:${part}\\.)+[a-z]{2,63}$`,
  'iu',
);

/** Of a payment, or of a refund by its own id. */
export type ReceiptOf = { readonly kind: 'RECEIPT' | 'REFUND'; readonly id: string };

/**
 * Queues the receipt; the worker mails it. Of a business that nobody has proven it is caught: the
 * merchant's developer reads it. TOO_OFTEN: the limit of receipts for this payment or refund is reached.
 */
export const queueReceipt = async (
  { database, secrets }: Uses<'database' | 'secrets'>,
  { tenant, paymentRequestId }: Payment,
  { kind, id }: ReceiptOf,
  recipient: string,
  mail: PayerMail,
): Promise<'QUEUED' | 'CAUGHT' | 'TOO_OFTEN'> => {
  // People who belong to the merchant are read, so this runs as the system.
  const [row] = await database.system(insertReceipt, {
    ...tenant,
    ...mail,
    kind,
    attemptId: id,
    paymentRequestId,
    recipientEncrypted: secrets.encrypt(recipient, recipientContext(id)),
    limit: limits.receiptMailsPerPayment,
    recipient: recipient.toLowerCase(),
  });
  if (!row) return 'TOO_OFTEN';
  return row.is_caught ? 'CAUGHT' : 'QUEUED';
};

export const recipientContext = (attemptId: string) => ({
  table: 'receipt_mail',
  row: attemptId,
  column: 'recipient_encrypted',
});

export const isEmailAddress = (text: string): boolean =>
  text.length <= limits.emailLength && address.test(text) && !holdsCardNumber(text);

type Saved = { readonly key: IdempotencyKey | null; readonly reply: object };

type QueuedPaymentLinkMail =
  | { readonly kind: 'QUEUED' }
  | { readonly kind: 'LINK_FULL' }
  | { readonly kind: 'DAY_FULL'; readonly retryAfterSeconds: number }
  /** It cannot be paid any more, or the Idempotency-Key was used meanwhile. */
  | { readonly kind: 'TOO_LATE' };

/** A link in the queue of receipts: the worker mails it. */
export const queuePaymentLinkMail = async (
  tools: Uses<'database' | 'secrets'>,
  payment: Payment,
  recipient: string,
  mail: PayerMail,
  saved: Saved,
): Promise<QueuedPaymentLinkMail> => {
  if (await isQueued(tools, payment, recipient, mail, saved)) return { kind: 'QUEUED' };
  const { tenant, paymentRequestId } = payment;
  const values = { ...tenant, paymentRequestId };
  const [row] = await tools.database.tenant(tenant.merchantId, countLinkMails, values);
  if (row && row.of_link >= limits.linkMailsPerPayment) return { kind: 'LINK_FULL' };
  if (row && row.of_day >= limits.linkMailsPerDay)
    return { kind: 'DAY_FULL', retryAfterSeconds: row.next_day_seconds };
  return { kind: 'TOO_LATE' };
};

const isQueued = async (
  { database, secrets }: Uses<'database' | 'secrets'>,
  { tenant, paymentRequestId }: Payment,
  recipient: string,
  mail: PayerMail,
  { key, reply }: Saved,
): Promise<boolean> => {
  try {
    const rows = await database.tenant(tenant.merchantId, insertLinkMail, {
      ...tenant,
      ...mail,
      paymentRequestId,
      recipientEncrypted: secrets.encrypt(recipient, recipientContext(paymentRequestId)),
      limit: limits.linkMailsPerPayment,
      dayLimit: limits.linkMailsPerDay,
      idempotencyKey: key?.key ?? null,
      bodySha256: key?.bodySha256 ?? null,
      reply: JSON.stringify(reply),
    });
    return rows.length > 0;
  } catch (error) {
    if (isUniqueViolation(error, 'idempotency_pkey')) return false;
    throw error;
  }
};

export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedColumn({
    table: 'receipt_mail',
    column: 'recipient_encrypted',
    key: { attempt_id: 'uuid', position: 'smallint' },
    contextOf: (row) => recipientContext(row.attempt_id ?? ''),
  }),
];
