import type { ReceiptMail } from '@florin/checkout';
import { limits } from '@florin/contract';
import type { Payment } from '#modules/payments/index.ts';
import { isUniqueViolation } from '#platform/database/database-unavailable.ts';
import type { IdempotencyKey } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { recipientContext } from './queue-receipt.ts';
import { insertLinkMail } from './store.ts';

type Saved = { readonly key: IdempotencyKey | null; readonly reply: object };

/**
 * A link in the queue of receipts: the worker mails it. False: as many as are allowed were mailed
 * already, it cannot be paid any more, or the Idempotency-Key was used meanwhile.
 */
export const queueLinkMail = async (
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
