import type { Tenant } from '#kernel/environment.ts';
import { missing } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import { readCustomer } from './store.ts';
import { type CustomerView, customerView } from './view.ts';

export const getCustomer = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
): Promise<CustomerView> => {
  const row = await findCustomerRow(tools, tenant, customerId);
  if (!row) throw await missingCustomer(tools, tenant, customerId);
  return customerView(row);
};

/** Null when this tenant has no such customer. */
export const findCustomer = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
): Promise<CustomerView | null> => {
  const row = await findCustomerRow(tools, tenant, customerId);
  return row ? customerView(row) : null;
};

export const missingCustomer = (tools: Uses<'database'>, tenant: Tenant, customerId: string) =>
  missing(
    tenant,
    'No customer was found under this id.',
    async (elsewhere) => (await findCustomerRow(tools, elsewhere, customerId)) !== undefined,
  );

const findCustomerRow = async (tools: Uses<'database'>, tenant: Tenant, customerId: string) => {
  const values = { ...tenant, customerId };
  return (await tools.database.tenant(tenant.merchantId, readCustomer, values))[0];
};
