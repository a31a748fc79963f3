import { createHash } from 'node:crypto';
import * as contract from '@florin/contract';
import { type BodyOf, failures, type QueryOf, type ReplyOf } from '@florin/contract';
import type { Static } from 'typebox';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { missing } from '#modules/merchants/index.ts';
import { isUniqueViolation } from '#platform/database/database-unavailable.ts';
import { numberedPage } from '#platform/database/pages.ts';
import { shown } from '#platform/database/rows.ts';
import { badField } from '#platform/http/error-reply.ts';
import { type IdempotencyKey, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type CustomerRow,
  type CustomerValues,
  insertCustomer,
  listCustomerRows,
  readCustomer,
  updateCustomerRow,
} from './store.ts';

export type CustomerView = Static<typeof contract.customerReply>;

export const customerView = ({
  customer_id: id,
  vat_number: vatNumber,
  ...row
}: CustomerRow): CustomerView => ({
  id,
  ...shown(row),
  ...(row.type === 'BUSINESS' ? { vatNumber } : {}),
});

type Body = BodyOf<typeof contract.updateCustomer>;

/** Empty text is no address and no city. */
const customerValues = (body: Body): CustomerValues => ({
  fullName: body.fullName ?? null,
  email: body.email ?? null,
  type: body.type ?? null,
  phoneCountryCode: body.phoneCountryCode ?? null,
  phoneNumber: body.phoneNumber ?? null,
  address: body.address || null,
  city: body.city || null,
  postcode: body.postcode ?? null,
  vatNumber: body.vatNumber ?? null,
});

const contactNeeded = (): Failure =>
  badField('email', 'email or phoneNumber is required', 'Either email or phoneNumber is required.');

/** Constraints of the table (CUSTOMER-1). */
const refusal = (error: unknown): unknown => {
  if (isUniqueViolation(error, 'customer_email_once'))
    return new Failure(failures.conflict, {
      message: 'A customer with this email address exists already.',
    });
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23514' && constraint === 'customer_check' ? contactNeeded() : error;
};

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

export const createCustomer = async (
  tools: Uses<'database' | 'ids'>,
  tenant: Tenant,
  body: BodyOf<typeof contract.createCustomer>,
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

const updateCustomer = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  customerId: string,
  body: BodyOf<typeof contract.updateCustomer>,
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

const listCustomers = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { page, size, search = '' }: QueryOf<typeof contract.listCustomers>,
): Promise<ReplyOf<typeof contract.listCustomers>> => {
  const pattern = search.trim() === '' ? null : `%${literal(search.trim())}%`;
  const values = { ...tenant, pattern, limit: size, skipped: page * size };
  const rows = await tools.database.tenant(tenant.merchantId, listCustomerRows, values);
  return numberedPage(rows, { page, size }, (row) =>
    row.customer_id === null ? null : customerView(row),
  );
};

/** The searched text is literal, not a pattern. */
const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

export const merchantRoutes = (tools: Uses<'database' | 'ids'>): readonly Route[] => [
  route(contract.createCustomer, ({ body, idempotencyKey }, { tenant }) =>
    createCustomer(tools, tenant, body, idempotencyKey),
  ),
  route(contract.listCustomers, ({ query }, { tenant }) => listCustomers(tools, tenant, query)),
  route(contract.getCustomer, ({ params }, { tenant }) =>
    getCustomer(tools, tenant, params.customerId),
  ),
  route(contract.updateCustomer, ({ params, body }, { tenant }) =>
    updateCustomer(tools, tenant, params.customerId, body),
  ),
];
