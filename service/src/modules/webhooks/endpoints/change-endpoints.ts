import {
  type BodyOf,
  type EventType,
  failures,
  limits,
  type createWebhook as operationCreateWebhook,
  type createWebhookEndpoint as operationCreateWebhookEndpoint,
  type updateWebhookEndpoint as operationUpdateWebhookEndpoint,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUniqueViolation } from '#platform/database/database-unavailable.ts';
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
const takeSlots = async (
  field: 'event' | 'events',
  take: () => Promise<readonly Subscribed[]>,
): Promise<boolean> => {
  for (let round = 1; ; round += 1) {
    try {
      const [taken] = await take();
      if (!taken) throw new Error('no answer about places');
      refuse(field, taken);
      return taken.done;
    } catch (error) {
      if (!isUniqueViolation(error) || round >= maxTries) throw error;
    }
  }
};

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

export const createWebhookEndpoint = async (
  tools: Uses<'database' | 'ids' | 'secrets'> & { readonly webhookNetwork: WebhookNetwork },
  tenant: Tenant,
  input: BodyOf<typeof operationCreateWebhookEndpoint>,
  decideOnce: DecideOnce = (decide) => decide(),
) => {
  const { webhookNetwork } = tools;
  await checkUrl(webhookNetwork, tenant.environment, 'url', input.url);
  const authentication = await checkAuthentication(webhookNetwork, tenant, input.authentication);
  const endpointId = await decideOnce(async () => tools.ids.uuid());
  if (await hasEndpoint(tools, tenant, endpointId))
    return getWebhookEndpoint(tools, tenant, endpointId);
  await takeSlots('events', () =>
    tools.database.tenant(tenant.merchantId, insertEndpoint, {
      ...tenant,
      ...encryptAuthentication(
        tools.secrets,
        tenant,
        endpointId,
        authentication ?? { kind: 'NONE' },
      ),
      endpointId,
      apiVersion: 2,
      url: input.url,
      description: input.description ?? null,
      ratePerSecond: input.ratePerSecond ?? null,
      events: [...new Set(input.events)],
    }),
  );
  return getWebhookEndpoint(tools, tenant, endpointId);
};

/** v1: an endpoint with one event type. */
export const createWebhook = async (
  tools: Uses<'database' | 'ids' | 'secrets'> & { readonly webhookNetwork: WebhookNetwork },
  tenant: Tenant,
  { url, event, authentication: given }: BodyOf<typeof operationCreateWebhook>,
  decideOnce: DecideOnce = (decide) => decide(),
) => {
  await checkUrl(tools.webhookNetwork, tenant.environment, 'url', url);
  const authentication = await checkAuthentication(tools.webhookNetwork, tenant, given);
  const endpointId = await decideOnce(async () => tools.ids.uuid());
  const reply = webhookView({ endpoint_id: endpointId, url, events: [event] });
  if (await hasEndpoint(tools, tenant, endpointId)) return reply;
  await takeSlots('event', () =>
    tools.database.tenant(tenant.merchantId, insertEndpoint, {
      ...tenant,
      ...encryptAuthentication(
        tools.secrets,
        tenant,
        endpointId,
        authentication ?? { kind: 'NONE' },
      ),
      endpointId,
      apiVersion: 1,
      url,
      description: null,
      ratePerSecond: null,
      events: [event],
    }),
  );
  return reply;
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

const urlIsFixed = () => {
  const message = 'url cannot be changed: delete the endpoint and create another';
  const errors = [{ field: 'url', message }];
  return new Failure(failures.badRequest, { message: `${message}.`, errors });
};

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
