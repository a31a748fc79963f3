import { createHash } from 'node:crypto';
import type { BodyOf, createCustomer as operation } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { IdempotencyKey } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { contactNeeded, customerValues, refusal } from './customer-values.ts';
import { getCustomer } from './get-customer.ts';
import { insertCustomer } from './store.ts';
import { type CustomerView, customerView } from './view.ts';

export const createCustomer = async (
  tools: Uses<'database' | 'ids'>,
  tenant: Tenant,
  body: BodyOf<typeof operation>,
  idempotencyKey: IdempotencyKey | null,
): Promise<CustomerView> => {
  const values = customerValues(body);
  if (values.email === null && values.phoneNumber === null) throw contactNeeded();
  const customerId = idempotencyKey ? idOf(tenant, idempotencyKey) : tools.ids.uuid();
  try {
    const input = { ...tenant, ...values, customerId };
    const [row] = await tools.database.tenant(tenant.merchantId, insertCustomer, input);
    // No row: the same request was answered elsewhere while this one waited for it.
    return row ? customerView(row) : getCustomer(tools, tenant, customerId);
  } catch (error) {
    throw refusal(error);
  }
};

// A name-based UUID: when a program dies between making the customer and keeping its reply, the
// same request finds the customer again and makes no second one.
const idOf = ({ merchantId, environment }: Tenant, { key, bodySha256 }: IdempotencyKey): string => {
  const name = createHash('sha256')
    .update(`${merchantId} ${environment} createCustomer ${key} `)
    .update(bodySha256)
    .digest();
  name[6] = ((name[6] ?? 0) & 0x0f) | 0x50;
  name[8] = ((name[8] ?? 0) & 0x3f) | 0x80;
  return name.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};
