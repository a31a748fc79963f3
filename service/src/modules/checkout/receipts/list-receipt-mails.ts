import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { recipientContext } from './queue-receipt.ts';
import { listReceipts } from './store.ts';

/** Newest first. A production address is shown by its first letter and its host only. */
export const listReceiptMails = async (
  { database, secrets }: Uses<'database' | 'secrets'>,
  tenant: Tenant,
  { limit }: { readonly limit: number },
) => {
  const rows = await database.tenant(tenant.merchantId, listReceipts, { ...tenant, limit });
  const shown = (address: string): string =>
    tenant.environment === 'SANDBOX' ? address : address.replace(/(?<=^.).*(?=@)/, '…');
  return rows.map((row) => ({
    paymentRequestId: row.payment_request_id,
    to:
      row.recipient_encrypted &&
      shown(secrets.decryptText(row.recipient_encrypted, recipientContext(row.attempt_id))),
    subject: row.subject,
    text: row.body_text,
    html: row.body_html,
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
    lastError: row.last_error,
  }));
};
