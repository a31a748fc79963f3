import type { Tenant } from '#kernel/environment.ts';
import type { Failure } from '#kernel/failure.ts';
import { missingCustomer } from '#modules/customers/index.ts';
import { missing } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import { findingCardRow, hasCardRow } from './store/list-card-rows.ts';
import { type CardView, cardView } from './view.ts';

export const getCustomerCard = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
  cardId: string,
): Promise<CardView> => {
  const requested = { ...tenant, customerId, cardId };
  const row = await tools.database.batched(tenant, findingCardRow, requested);
  if (!row || row.card_id === null || row.deleted_at)
    throw await missingCard(tools, tenant, customerId, cardId);
  return cardView(row);
};

/** Names the missing one of the two, or the other environment. */
export const missingCard = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
  cardId: string,
): Promise<Failure> => {
  const requested = { ...tenant, customerId, cardId };
  const customer = await tools.database.batched(tenant, findingCardRow, requested);
  if (!customer) return missingCustomer(tools, tenant, customerId);
  return missing(tenant, 'No card was found under this id.', async (elsewhere) => {
    const values = { ...elsewhere, cardId };
    return (await tools.database.tenant(tenant.merchantId, hasCardRow, values)).length > 0;
  });
};
