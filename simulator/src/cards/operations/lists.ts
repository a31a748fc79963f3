import type { ListQuery } from '../card-store.ts';
import { ApiError, invalid, missing } from '../rules/api-error.ts';
import {
  integerParam,
  paramAt,
  paramOneOf,
  refuseUnknownParams,
  requiredParam,
  textParam,
  textsParam,
} from '../wire/parameters.ts';
import type { Call, Operation, Reply } from './call.ts';

export const paging = ['limit', 'starting_after', 'ending_before', 'created'];

export const pageOf = (call: Call) => {
  const limit = integerParam(call.params, 'limit') ?? 10;
  if (limit < 1 || limit > 100) {
    throw invalid('Invalid limit: must be from 1 to 100.', 'limit', 'parameter_invalid_integer');
  }
  const after = textParam(call.params, 'starting_after') ?? undefined;
  const before = textParam(call.params, 'ending_before') ?? undefined;
  if (after && before) throw invalid('You cannot parameterize both ends.', 'ending_before');
  return { limit, after, before };
};

type Query = Pick<ListQuery, 'kind' | 'customerId' | 'email'>;

const page = async (call: Call, url: string, query: Query): Promise<Reply> => {
  const { limit, after, before } = pageOf(call);
  const edge = after ?? before;
  if (edge !== undefined)
    await call.transaction.get(query.kind, edge, after ? 'starting_after' : 'ending_before');
  const period = createdOf(call);
  const found = await call.tools.store.list({
    ...query,
    ...period,
    limit: limit + 1,
    after,
    before,
  });
  const some = before === undefined ? found.slice(0, limit) : found.slice(-limit);
  return { body: listBody(url, await showAll(call, some), found.length > limit) };
};

export const showAll = async (call: Call, parts: readonly { readonly id: string }[]) => {
  const shown = await Promise.all(parts.map(({ id }) => call.transaction.render(id)));
  return shown.flatMap((each) => (each ? [each] : []));
};

export const listBody = (url: string, data: readonly object[], hasMore = false): object => ({
  object: 'list',
  data,
  has_more: hasMore,
  url,
});

export const listCustomers: Operation = (call) => {
  refuseUnknownParams(call.params, [...paging, 'email']);
  const email = textParam(call.params, 'email') ?? undefined;
  return page(call, '/v1/customers', { kind: 'customer', email });
};

export const listMethods: Operation = async (call) => {
  refuseUnknownParams(call.params, [...paging, 'customer', 'type', 'allow_redisplay']);
  const customerId = requiredParam(call.params, 'customer');
  await call.transaction.get('customer', customerId, 'customer');
  return page(call, '/v1/payment_methods', { kind: 'method', customerId });
};

export const listMethodsOfCustomer: Operation = async (call) => {
  refuseUnknownParams(call.params, [...paging, 'type', 'allow_redisplay']);
  await call.transaction.get('customer', call.id);
  const url = `/v1/customers/${call.id}/payment_methods`;
  return page(call, url, { kind: 'method', customerId: call.id });
};

export const listOf =
  (kind: 'intent' | 'setup', url: string): Operation =>
  (call) => {
    refuseUnknownParams(call.params, [...paging, 'customer']);
    const customerId = textParam(call.params, 'customer') ?? undefined;
    return page(call, url, { kind, customerId });
  };

export const listIntents = listOf('intent', '/v1/payment_intents');

export const readEvent: Operation = async (call) => {
  const body = await call.events.find(call.id);
  if (!body) throw missing('event', call.id);
  return { body: JSON.parse(body) as object };
};

export const listEvents: Operation = async (call) => {
  refuseUnknownParams(call.params, [...paging, 'type', 'types', 'delivery_success']);
  const { limit, after, before } = pageOf(call);
  const one = textParam(call.params, 'type');
  const named = paramAt(call.params, 'types') ? textsParam(call.params, 'types') : [];
  const wanted = one === null ? named : [one];
  const types = wanted.length === 0 ? undefined : wanted;
  const bodies = await call.events.list({
    ...{ types, after, before, limit: limit + 1 },
    ...createdOf(call),
  });
  const some = before === undefined ? bodies.slice(0, limit) : bodies.slice(-limit);
  const data = some.map((body) => JSON.parse(body) as object);
  return { body: listBody('/v1/events', data, bodies.length > limit) };
};

export const createdOf = (call: Call) => {
  const second = (name: string, more = 0) => {
    const value = integerParam(call.params, `created.${name}`);
    return value === undefined ? undefined : (value + more) * 1000;
  };
  return {
    createdFrom: second('gte') ?? second('gt', 1),
    createdBefore: second('lt') ?? second('lte', 1),
  };
};

export const unknownAddress = (method: string, path: string): ApiError => {
  const message = `Unrecognized request URL (${method}: ${path}).`;
  return new ApiError(404, { type: 'invalid_request_error', message });
};

// One configuration, as a new account has it. A wallet of a real device cannot pay here, so it is
// off; `test_wallet` is the only member that the real API does not have.
export const listConfigurations: Operation = async (call) => {
  refuseUnknownParams(call.params, ['limit', 'starting_after', 'ending_before', 'active']);
  const { after, before } = pageOf(call);
  const isWanted = paramOneOf(call.params, 'active', ['true', 'false']) !== 'false';
  const isOnPage = isWanted && after === undefined && before === undefined;
  return { body: listBody('/v1/payment_method_configurations', isOnPage ? [standard] : []) };
};

const method = (isOn: boolean) => {
  const preference = isOn ? 'on' : 'off';
  return {
    available: isOn,
    display_preference: { overridable: null, preference, value: preference },
  };
};

const standard = {
  id: 'pmc_1SimulatedMerchant',
  object: 'payment_method_configuration',
  active: true,
  application: null,
  is_default: true,
  livemode: false,
  name: 'Default',
  parent: null,
  card: method(true),
  apple_pay: method(false),
  google_pay: method(false),
  test_wallet: method(true),
};
