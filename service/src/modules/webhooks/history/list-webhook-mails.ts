import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { listMails } from './store/mails.ts';

export const listWebhookMails = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { limit }: { readonly limit: number },
) => {
  const values = { ...tenant, limit };
  const rows = await tools.database.tenant(tenant.merchantId, listMails, values);
  return rows.map((row) => ({
    to: row.recipient,
    subject: row.subject,
    text: row.body,
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
    lastError: row.last_error,
  }));
};
