import type { QueryOf, ReplyOf } from '@florin/contract';
import type { listTillSales as operation } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { listMade } from '../made/list-made.ts';
import { type SaleTools, saleViews } from './show-till-sale.ts';

export const listTillSales = async (
  tools: SaleTools,
  tenant: Tenant,
  { storeId, tillName, before, limit }: QueryOf<typeof operation>,
): Promise<ReplyOf<typeof operation>> => {
  const page = { before, limit };
  const filter = { storeId: storeId ?? null, tillName: tillName?.trim() ?? null };
  const { payments, nextBefore } = await listMade(tools, tenant, 'TILL', page, filter);
  return { data: [...(await saleViews(tools, tenant, payments))], nextBefore };
};
