import type { listCustomers as operation, QueryOf, ReplyOf } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { listCustomerRows } from './store.ts';
import { customerView } from './view.ts';

export const listCustomers = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { page, size, search = '' }: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const pattern = search.trim() === '' ? null : `%${literal(search.trim())}%`;
  const values = { ...tenant, pattern, limit: size, skipped: page * size };
  const rows = await tools.database.tenant(tenant.merchantId, listCustomerRows, values);
  const data = rows.flatMap((row) => (row.customer_id === null ? [] : [customerView(row)]));
  return { data, totalCount: Number(rows[0]?.total ?? 0), page, size };
};

/** The searched text is literal, not a pattern. */
const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
