import type { Tenant } from '#kernel/environment.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/begin-once.ts';
import type { Uses } from '#platform/tools.ts';
import { getCustomerCard, missingCard } from './get-customer-card.ts';
import { deleteCardRow } from './store/delete-card-row.ts';

export const deleteCustomerCard = async (
  tools: Uses<'database' | 'ids'>,
  tenant: Tenant,
  customerId: string,
  cardId: string,
  decideOnce: DecideOnce = (decide) => decide(),
): Promise<{ readonly id: string }> => {
  const find = async () => (await getCustomerCard(tools, tenant, customerId, cardId)).id;
  const { isRepeat } = await beginOnce(tools, decideOnce, find);
  const requested = { ...tenant, customerId, cardId };
  const [deleted] = await tools.database.tenant(tenant.merchantId, deleteCardRow, requested);
  if (!deleted && isRepeat) return { id: cardId };
  if (!deleted) throw await missingCard(tools, tenant, customerId, cardId);
  return { id: deleted.card_id };
};
