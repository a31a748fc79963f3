import type { QueryOf, ReplyOf } from '@florin/contract';
import type { listTillSales as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { loadPayment } from '#modules/payments/index.ts';
import { type SaleTools, saleViews } from './show-till-sale.ts';
import { listSales } from './store/till-sales.ts';

export const listTillSales = async (
  tools: SaleTools,
  tenant: Tenant,
  { storeId, tillName, before, limit }: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const { database } = tools;
  const [beforeMicros = null, beforeId = null] = before?.split('.') ?? [];
  const rows = await database.tenant(tenant.merchantId, listSales, {
    ...tenant,
    storeId: storeId ?? null,
    tillName: tillName?.trim() ?? null,
    beforeMicros,
    beforeId,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const found = await Promise.all(
    page.map((row) => loadPayment(database, tenant, row.payment_request_id)),
  );
  const sales = await saleViews(
    tools,
    tenant,
    found.filter((payment) => payment !== null),
  );
  const hasMore = rows.length > limit && last;
  return {
    data: [...sales],
    nextBefore: hasMore ? `${last.created_micros}.${last.payment_request_id}` : null,
  };
};
