import type { Tenant } from '#kernel/environment.ts';
import { loadPayment, type Payment } from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';
import { listLinks, listSales, type MadeFilter } from './store.ts';

type Page = { readonly before?: string | undefined; readonly limit: number };

type Made = { readonly payments: readonly Payment[]; readonly nextBefore: string | null };

/** The payment requests of one channel, the newest first, and where the next page begins. */
export const listMade = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  channel: 'TILL' | 'DASHBOARD',
  { before, limit }: Page,
  { storeId = null, tillName = null }: Partial<MadeFilter> = {},
): Promise<Made> => {
  const [beforeMicros = null, beforeId = null] = before?.split('.') ?? [];
  const values = { ...tenant, storeId, tillName, beforeMicros, beforeId, limit: limit + 1 };
  const list = channel === 'TILL' ? listSales : listLinks;
  const rows = await database.tenant(tenant.merchantId, list, values);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const found = await Promise.all(
    page.map((row) => loadPayment(database, tenant, row.payment_request_id)),
  );
  const hasMore = rows.length > limit && last;
  return {
    payments: found.filter((payment) => payment !== null),
    nextBefore: hasMore ? `${last.created_micros}.${last.payment_request_id}` : null,
  };
};
