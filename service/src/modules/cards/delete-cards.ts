import type { Tenant } from '#kernel/environment.ts';
import { getCustomer, missingCustomer } from '#modules/customers/index.ts';
import { isDeadlock, isForeignKeyViolation } from '#platform/database/database-unavailable.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/save-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { getCustomerCard, missingCard } from './saved-cards.ts';
import { deleteCardRow, deleteCustomerRow } from './store/cards.ts';

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

const tries = 10;

/** Stands here, above the customers, because a customer's cards go in the same statement. */
export const deleteCustomer = async (
  tools: Uses<'database' | 'ids'>,
  tenant: Tenant,
  customerId: string,
  decideOnce: DecideOnce = (decide) => decide(),
): Promise<{ readonly id: string }> => {
  const find = async () => (await getCustomer(tools, tenant, customerId)).id;
  const { isRepeat } = await beginOnce(tools, decideOnce, find);
  for (let attempt = 1; ; attempt += 1)
    try {
      const requested = { ...tenant, customerId };
      const [removed] = await tools.database.tenant(
        tenant.merchantId,
        deleteCustomerRow,
        requested,
      );
      if (!removed && isRepeat) return { id: customerId };
      if (!removed) throw await missingCustomer(tools, tenant, customerId);
      return { id: removed.customer_id };
    } catch (error) {
      if (attempt === tries || !wasCardSaved(error)) throw error;
    }
};

/** A payment saved a card between the read and the delete: the next read sees it. */
const wasCardSaved = (error: unknown): boolean => isForeignKeyViolation(error) || isDeadlock(error);
