import {
  type BodyOf,
  type EventType,
  limits,
  type createWebhook as operationCreateWebhook,
  type createWebhookEndpoint as operationCreateWebhookEndpoint,
  type updateWebhookEndpoint as operationUpdateWebhookEndpoint,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Failure } from '#kernel/failure.ts';
import { retryTaken } from '#platform/database/database-unavailable.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/save-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { getWebhookEndpoint, missingEndpoint, requireEndpoint, webhookView } from './endpoint.ts';
import { checkAuthentication, encryptAuthentication } from './endpoint-authentication.ts';
import {
  hasEndpoint,
  insertEndpoint,
  deleteEndpoint as remove,
  type Subscribed,
  updateEndpoint,
} from './store/endpoints.ts';
import { checkUrl, type WebhookNetwork } from './webhook-network.ts';

// Each lost race means that another endpoint took one of the three slots of an event type.
const maxTries = 4 * limits.webhookEndpointsPerEvent + 1;

/** Runs a statement that takes slots; the unique key decides between two that want the same. */
const takeSlots = (
  field: 'event' | 'events',
  take: () => Promise<readonly Subscribed[]>,
): Promise<boolean> =>
  retryTaken(maxTries, async () => {
    const [taken] = await take();
    if (!taken) throw new Error('no answer about places');
    refuse(field, taken);
    return taken.done;
  });

const refuse = (field: 'event' | 'events', { full, unsigned }: Subscribed): void => {
  const [event] = full;
  if (event) throw refusal(field, noSlot[field](event));
  if (unsigned)
    throw refusal(field, 'POS_PAYMENT_STATUS needs a signing secret: generate one first');
};

const limit = limits.webhookEndpointsPerEvent;

const noSlot = {
  event: (event: EventType) =>
    `${event} has its one v1 webhook, or its ${limit} endpoints, already`,
  events: (event: EventType) => `${event} has its ${limit} endpoints already`,
} as const;

const refusal = (field: string, message: string): Failure =>
  badField(field, message, `${message}.`);

type CreateTools = Uses<'database' | 'ids' | 'secrets'> & {
  readonly webhookNetwork: WebhookNetwork;
};
type NewEndpoint = Omit<BodyOf<typeof operationCreateWebhookEndpoint>, 'events'> & {
  readonly apiVersion: 1 | 2;
  readonly events: readonly EventType[];
};

/** Answers its id; under a key that has made one, that one's. */
const create = async (
  tools: CreateTools,
  tenant: Tenant,
  { url, authentication: given, events, apiVersion, description, ratePerSecond }: NewEndpoint,
  decideOnce: DecideOnce,
): Promise<string> => {
  const { webhookNetwork, secrets } = tools;
  await checkUrl(webhookNetwork, tenant.environment, 'url', url);
  const authentication = await checkAuthentication(webhookNetwork, tenant, given);
  const endpointId = await decideOnce(async () => tools.ids.uuid());
  if (await hasEndpoint(tools, tenant, endpointId)) return endpointId;
  await takeSlots(apiVersion === 1 ? 'event' : 'events', () =>
    tools.database.tenant(tenant.merchantId, insertEndpoint, {
      ...{ ...tenant, endpointId, apiVersion, url, events: [...new Set(events)] },
      ...encryptAuthentication(secrets, tenant, endpointId, authentication ?? { kind: 'NONE' }),
      description: description ?? null,
      ratePerSecond: ratePerSecond ?? null,
    }),
  );
  return endpointId;
};

export const createWebhookEndpoint = async (
  tools: CreateTools,
  tenant: Tenant,
  input: BodyOf<typeof operationCreateWebhookEndpoint>,
  decideOnce: DecideOnce = (decide) => decide(),
) => {
  const endpointId = await create(tools, tenant, { ...input, apiVersion: 2 }, decideOnce);
  return getWebhookEndpoint(tools, tenant, endpointId);
};

/** v1: an endpoint with one event type. */
export const createWebhook = async (
  tools: CreateTools,
  tenant: Tenant,
  { event, ...input }: BodyOf<typeof operationCreateWebhook>,
  decideOnce: DecideOnce = (decide) => decide(),
) => {
  const events = [event];
  const endpointId = await create(tools, tenant, { ...input, events, apiVersion: 1 }, decideOnce);
  return webhookView({ endpoint_id: endpointId, url: input.url, events });
};

export const updateWebhookEndpoint = async (
  tools: Uses<'database' | 'secrets'> & { readonly webhookNetwork: WebhookNetwork },
  tenant: Tenant,
  endpointId: string,
  input: BodyOf<typeof operationUpdateWebhookEndpoint>,
) => {
  const current = await getWebhookEndpoint(tools, tenant, endpointId);
  if (input.url !== undefined && input.url !== current.url) throw urlIsFixed();
  const authentication = await checkAuthentication(
    tools.webhookNetwork,
    tenant,
    input.authentication,
  );
  const sealed = authentication
    ? encryptAuthentication(tools.secrets, tenant, endpointId, authentication)
    : { authKind: null, authEncrypted: null };
  const isDone = await takeSlots('events', () =>
    tools.database.tenant(tenant.merchantId, updateEndpoint, {
      ...tenant,
      ...sealed,
      endpointId,
      apiVersion: 2,
      events: input.events ? [...new Set(input.events)] : null,
      setsDescription: input.description !== undefined,
      description: input.description ?? null,
      setsRate: input.ratePerSecond !== undefined,
      ratePerSecond: input.ratePerSecond ?? null,
    }),
  );
  if (!isDone) throw await missingEndpoint(tools, tenant, endpointId);
  return getWebhookEndpoint(tools, tenant, endpointId);
};

const urlIsFixed = () =>
  refusal('url', 'url cannot be changed: delete the endpoint and create another');

/**
 * Its pending deliveries are cancelled by the dispatcher, which sees the new version at its claim.
 */
export const deleteEndpoint = async (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'>,
  tenant: Tenant,
  endpointId: string,
  apiVersion: 1 | 2,
  decideOnce: DecideOnce = (decide) => decide(),
): Promise<void> => {
  const find = async () => {
    await requireEndpoint(tools, tenant, endpointId, 'PRESENT');
    return endpointId;
  };
  const { isRepeat } = await beginOnce(tools, decideOnce, find);
  const values = { ...tenant, endpointId, apiVersion };
  const [row] = await tools.database.tenant(tenant.merchantId, remove, values);
  if (!row && !isRepeat) throw await missingEndpoint(tools, tenant, endpointId);
  tools.wakeDispatcher([endpointId]);
};
