import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { missingCard } from './get-customer-card.ts';
import { deleteCardRow } from './store/delete-card-row.ts';

export const deleteCustomerCard = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
  cardId: string,
): Promise<{ readonly id: string }> => {
  const requested = { ...tenant, customerId, cardId };
  const [deleted] = await tools.database.tenant(tenant.merchantId, deleteCardRow, requested);
  if (!deleted) throw await missingCard(tools, tenant, customerId, cardId);
  return { id: deleted.card_id };
};
