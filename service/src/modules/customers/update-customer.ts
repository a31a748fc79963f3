import type { BodyOf, updateCustomer as operation } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { customerValues, refusal } from './customer-values.ts';
import { missingCustomer } from './get-customer.ts';
import { type CustomerRow, updateCustomerRow } from './store.ts';
import { type CustomerView, customerView } from './view.ts';

export const updateCustomer = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
  body: BodyOf<typeof operation>,
): Promise<CustomerView> => {
  const values = { ...tenant, customerId, ...customerValues(body), given: Object.keys(body) };
  let rows: readonly CustomerRow[];
  try {
    rows = await tools.database.tenant(tenant.merchantId, updateCustomerRow, values);
  } catch (error) {
    throw refusal(error);
  }
  const [row] = rows;
  if (!row) throw await missingCustomer(tools, tenant, customerId);
  return customerView(row);
};
