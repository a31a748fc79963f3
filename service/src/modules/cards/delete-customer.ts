import type { Tenant } from '#kernel/environment.ts';
import { missingCustomer } from '#modules/customers/index.ts';
import { isDeadlock, isForeignKeyViolation } from '#platform/database/database-unavailable.ts';
import type { Uses } from '#platform/tools.ts';
import { deleteCustomerRow } from './store/delete-card-row.ts';

const tries = 10;

/** Stands here, above the customers, because a customer's cards go in the same statement. */
export const deleteCustomer = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
): Promise<{ readonly id: string }> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      const requested = { ...tenant, customerId };
      const [removed] = await tools.database.tenant(
        tenant.merchantId,
        deleteCustomerRow,
        requested,
      );
      if (!removed) throw await missingCustomer(tools, tenant, customerId);
      return { id: removed.customer_id };
    } catch (error) {
      if (attempt === tries || !wasCardSaved(error)) throw error;
    }
};

/** A payment saved a card between the read and the delete: the next read sees it. */
const wasCardSaved = (error: unknown): boolean => isForeignKeyViolation(error) || isDeadlock(error);
