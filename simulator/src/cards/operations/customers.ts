import type { CustomerRecord } from '../model.ts';
import { missing } from '../rules/api-error.ts';
import {
  metadataParam,
  type Params,
  paramAt,
  refuseUnknownParams,
  textParam,
} from '../wire/parameters.ts';
import { type Call, type Operation, renderById, replyWith } from './call.ts';

const known = ['name', 'email', 'phone', 'description', 'metadata', 'address', 'preferred_locales'];

export const createCustomer: Operation = async (call) => {
  refuseUnknownParams(call.params, known);
  const customer = newCustomer(call, call.params);
  return replyWith(call, customer.id, [customer], [{ type: 'customer.created', id: customer.id }]);
};

export const newCustomer = ({ tools, now }: Pick<Call, 'tools' | 'now'>, params: Params) => {
  const customer: CustomerRecord = {
    kind: 'customer',
    id: `cus_${tools.random.text(14)}`,
    createdAt: now,
    customerId: null,
    version: 0,
    clockOffsetMs: 0,
    name: textParam(params, 'name'),
    email: textParam(params, 'email'),
    phone: textParam(params, 'phone'),
    description: textParam(params, 'description'),
    metadata: metadataParam(params),
    isDeleted: false,
  };
  return customer;
};

export const readCustomer: Operation = async (call) => {
  await call.transaction.get('customer', call.id);
  return { body: await renderById(call, call.id) };
};

export const updateCustomer: Operation = async (call) => {
  refuseUnknownParams(call.params, known);
  const customer = await livingCustomer(call, call.id);
  const { params } = call;
  const given = (name: 'name' | 'email' | 'phone' | 'description') =>
    paramAt(params, name) === undefined ? customer[name] : textParam(params, name);
  const updated: CustomerRecord = {
    ...customer,
    name: given('name'),
    email: given('email'),
    phone: given('phone'),
    description: given('description'),
    metadata: metadataParam(params, 'metadata', customer.metadata),
  };
  return replyWith(call, updated.id, [updated], [{ type: 'customer.updated', id: updated.id }]);
};

// Its cards go with it.
export const deleteCustomer: Operation = async (call) => {
  const customer = await livingCustomer(call, call.id);
  const query = { kind: 'method', customerId: customer.id, limit: 100 } as const;
  const methods = await call.tools.store.list(query);
  const left = methods.map((method) => ({ ...method, customerId: null }));
  const deleted: CustomerRecord = { ...customer, isDeleted: true };
  const eventDrafts = [
    ...left.map(({ id }) => ({ type: 'payment_method.detached', id })),
    { type: 'customer.deleted', id: customer.id },
  ];
  return replyWith(call, customer.id, [deleted, ...left], eventDrafts);
};

export const livingCustomer = async (
  call: Pick<Call, 'transaction'>,
  id: string,
  param?: string,
): Promise<CustomerRecord> => {
  const customer = await call.transaction.get('customer', id, param);
  if (customer.isDeleted) throw missing('customer', id, param);
  return customer;
};
