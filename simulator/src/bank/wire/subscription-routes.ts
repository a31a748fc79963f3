import type { JsonObject, Subscription } from '../model.ts';
import { badRequest, Refusal } from '../refusal.ts';
import type { Call, Operation, Route } from './call.ts';
import { admit } from './check-request.ts';
import { parseJsonBody } from './read-body.ts';
import { refuseInvalid, type SchemaName } from './schema-reasons.ts';
import { verifyMessage } from './sign-message.ts';

const getSubscriptions: Operation = async (call) => {
  const { bank } = call;
  const { clientId } = await admit(call, 'client', 'payments');
  const found = await bank.tools.store.findSubscription(bank.profile.id, clientId);
  return {
    status: 200,
    body: {
      Data: { EventSubscription: found ? [dataOf(found)] : [] },
      Links: { Self: `${call.baseUrl}/event-subscriptions` },
      Meta: {},
    },
  };
};

const postSubscription: Operation = async (call) => {
  const { bank } = call;
  const { clientId } = await admit(call, 'client', 'payments');
  const data = readSigned(call, 'OBEventSubscription1');
  const id = bank.tools.random.id();
  const subscription = subscriptionOf(call, data, clientId, id);
  const isNew = await bank.tools.store.createSubscription(subscription);
  if (!isNew) throw new Refusal(409, []);
  return { status: 201, body: replyOf(call, subscription) };
};

const putSubscription: Operation = async (call) => {
  const { bank, id } = call;
  const { clientId } = await admit(call, 'client', 'payments');
  const data = readSigned(call, 'OBEventSubscriptionResponse1');
  if (data.EventSubscriptionId !== id) {
    throw badRequest('U008', 'The body names another one.', 'Data.EventSubscriptionId');
  }
  const subscription = subscriptionOf(call, data, clientId, id);
  if (!(await bank.tools.store.replaceSubscription(subscription))) throw noSuch();
  return { status: 200, body: replyOf(call, subscription) };
};

const deleteSubscription: Operation = async (call) => {
  const { bank, id } = call;
  const { clientId } = await admit(call, 'client', 'payments');
  const isGone = await bank.tools.store.deleteSubscription(bank.profile.id, clientId, id);
  if (!isGone) throw noSuch();
  return { status: 204 };
};

export const subscriptionRoutes: readonly Route[] = [
  { path: /^\/event-subscriptions$/, methods: { GET: getSubscriptions, POST: postSubscription } },
  {
    path: /^\/event-subscriptions\/([^/]+)$/,
    methods: { PUT: putSubscription, DELETE: deleteSubscription },
  },
];

const noSuch = (): Refusal =>
  badRequest('U011', 'There is no such subscription.', 'EventSubscriptionId');

const readSigned = (call: Call, schema: SchemaName): JsonObject => {
  verifyMessage(call);
  const body = parseJsonBody(call.body);
  refuseInvalid(call.version, schema, body);
  return body.Data as JsonObject;
};

const subscriptionOf = (
  { bank, version }: Call,
  data: JsonObject,
  clientId: string,
  id: string,
): Subscription => {
  const callbackUrl = data.CallbackUrl as string | undefined;
  if (data.Version !== version) {
    throw badRequest('U002', 'The version is not that of the address.', 'Data.Version');
  }
  // Some banks insist on it.
  if (callbackUrl !== undefined && !callbackUrl.includes(`/open-banking/v${version}`)) {
    throw badRequest('U002', 'The address names another version.', 'Data.CallbackUrl');
  }
  const eventTypes = data.EventTypes as readonly string[] | undefined;
  return { bankId: bank.profile.id, id, clientId, version, callbackUrl, eventTypes };
};

const replyOf = (call: Call, subscription: Subscription): JsonObject => ({
  Data: dataOf(subscription),
  Links: { Self: `${call.baseUrl}/event-subscriptions/${subscription.id}` },
  Meta: {},
});

const dataOf = ({ id, callbackUrl, version, eventTypes }: Subscription): JsonObject => ({
  EventSubscriptionId: id,
  ...(callbackUrl !== undefined && { CallbackUrl: callbackUrl }),
  Version: version,
  ...(eventTypes && { EventTypes: [...eventTypes] }),
});
