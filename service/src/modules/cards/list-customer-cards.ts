import type { Tenant } from '#kernel/environment.ts';
import { missingCustomer } from '#modules/customers/index.ts';
import type { Uses } from '#platform/tools.ts';
import { readCardRows } from './list-cards.ts';
import { type CardView, cardView } from './view.ts';

export const listCustomerCards = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
): Promise<CardView[]> => {
  const rows = await readCardRows(tools, tenant, customerId);
  if (!rows) throw await missingCustomer(tools, tenant, customerId);
  return rows.map(cardView);
};
