import type { ReceiptMail } from '@florin/checkout';
import { limits } from '@florin/contract';
import type { Payment } from '#modules/payments/index.ts';
import { isUniqueViolation } from '#platform/database/database-unavailable.ts';
import type { IdempotencyKey } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { recipientContext } from './queue-receipt.ts';
import { countLinkMails, insertLinkMail } from './store.ts';

type Saved = { readonly key: IdempotencyKey | null; readonly reply: object };

export type QueuedLinkMail =
  | { readonly kind: 'QUEUED' }
  | { readonly kind: 'LINK_FULL' }
  | { readonly kind: 'DAY_FULL'; readonly retryAfterSeconds: number }
  /** It cannot be paid any more, or the Idempotency-Key was used meanwhile. */
  | { readonly kind: 'TOO_LATE' };

/** A link in the queue of receipts: the worker mails it. */
export const queueLinkMail = async (
  tools: Uses<'database' | 'secrets'>,
  payment: Payment,
  recipient: string,
  mail: ReceiptMail,
  saved: Saved,
): Promise<QueuedLinkMail> => {
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
  mail: ReceiptMail,
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
