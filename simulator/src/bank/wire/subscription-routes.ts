import type { JsonObject, Subscription } from '../ports.ts';
import { badRequest, Refusal } from '../refusal.ts';
import { type Access, checkAccess, checkHeaders } from './check-request.ts';
import type { Operation, PaymentCall, Route } from './payment-call.ts';
import { parseJsonBody } from './read-body.ts';
import { type SchemaName, schemaReasons } from './schema-reasons.ts';
import { verifyMessage } from './sign-message.ts';

const getSubscriptions: Operation = async (call) => {
  const { bank } = call;
  const { clientId } = await authorise(call, false);
  const found = await bank.tools.store.findSubscription(bank.profile.id, clientId);
  return {
    status: 200,
    body: {
      Data: { EventSubscription: found ? [dataOf(found)] : [] },
      Links: { Self: `${call.paymentsUrl}/event-subscriptions` },
      Meta: {},
    },
  };
};

const postSubscription: Operation = async (call) => {
  const { bank } = call;
  const { clientId } = await authorise(call, true);
  const data = readSigned(call, 'OBEventSubscription1');
  const id = bank.tools.random.id();
  const subscription = subscriptionOf(call, data, clientId, id);
  const isNew = await bank.tools.store.createSubscription(subscription);
  if (!isNew) throw new Refusal(409, []);
  return { status: 201, body: replyOf(call, subscription) };
};

const putSubscription: Operation = async (call) => {
  const { bank, id } = call;
  const { clientId } = await authorise(call, true);
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
  const { clientId } = await authorise(call, false);
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

const authorise = async ({ bank, request }: PaymentCall, hasBody: boolean): Promise<Access> => {
  const access = await checkAccess(bank, request, 'client', 'payments');
  checkHeaders(bank.profile, request.headers, hasBody);
  return access;
};

const readSigned = (call: PaymentCall, schema: SchemaName): JsonObject => {
  const { bank, request, body: bytes, version } = call;
  const signature = request.headers['x-jws-signature']?.toString();
  const { signsRawBody } = bank.profile.wire;
  verifyMessage(signature, bytes, bank.verifier, bank.tools.clock.now(), signsRawBody);
  const body = parseJsonBody(bytes);
  const reasons = schemaReasons(version, schema, body);
  if (reasons.length > 0) throw new Refusal(400, reasons);
  return body.Data as JsonObject;
};

const subscriptionOf = (
  { bank, version }: PaymentCall,
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

const replyOf = (call: PaymentCall, subscription: Subscription): JsonObject => ({
  Data: dataOf(subscription),
  Links: { Self: `${call.paymentsUrl}/event-subscriptions/${subscription.id}` },
  Meta: {},
});

const dataOf = ({ id, callbackUrl, version, eventTypes }: Subscription): JsonObject => ({
  EventSubscriptionId: id,
  ...(callbackUrl !== undefined && { CallbackUrl: callbackUrl }),
  Version: version,
  ...(eventTypes && { EventTypes: [...eventTypes] }),
});
