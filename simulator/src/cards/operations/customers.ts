import { type CustomerRecord, unsaved } from '../model.ts';
import { missing } from '../rules/api-error.ts';
import {
  metadataParam,
  type Params,
  paramAt,
  refuseUnknownParams,
  textParam,
} from '../wire/parameters.ts';
import { type Call, type Operation, replyWith } from './call.ts';

const texts = ['name', 'email', 'phone', 'description'];
const known = [...texts, 'metadata', 'address', 'preferred_locales'];

export const createCustomer: Operation = async (call) => {
  refuseUnknownParams(call.params, known);
  const customer = newCustomer(call, call.params);
  return replyWith(call, customer.id, [customer], [{ type: 'customer.created', id: customer.id }]);
};

export const newCustomer = ({ tools, now }: Pick<Call, 'tools' | 'now'>, params: Params) => {
  const customer: CustomerRecord = {
    kind: 'customer',
    id: `cus_${tools.random.text(14)}`,
    ...unsaved(now),
    name: textParam(params, 'name'),
    email: textParam(params, 'email'),
    phone: textParam(params, 'phone'),
    description: textParam(params, 'description'),
    metadata: metadataParam(params),
    isDeleted: false,
  };
  return customer;
};

export const updateCustomer: Operation = async (call) => {
  refuseUnknownParams(call.params, known);
  const customer = await livingCustomer(call, call.id);
  const { params } = call;
  const given = Object.fromEntries(
    texts.flatMap((name) =>
      paramAt(params, name) === undefined ? [] : [[name, textParam(params, name)]],
    ),
  );
  const metadata = metadataParam(params, 'metadata', customer.metadata);
  const updated: CustomerRecord = { ...customer, ...given, metadata };
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
