import { createHash } from 'node:crypto';
import { limits } from '#simulator/limits.ts';
import { type EndpointRecord, unsaved } from '../model.ts';
import type { CardTools } from '../ports.ts';
import { invalid, missing } from '../rules/api-error.ts';
import {
  metadataParam,
  paramAt,
  refuseUnknownParams,
  requiredParam,
  textsParam,
} from '../wire/parameters.ts';
import { type Call, type Operation, renderById, replyWith } from './call.ts';
import { listBody, paging, showAll } from './lists.ts';
import { pageIn } from './parts.ts';

// Every endpoint of this account shares one signing secret, which is answered at creation only.
export const createEndpoint: Operation = async (call) => {
  const { params, tools, now } = call;
  refuseUnknownParams(params, [
    'url',
    'enabled_events',
    'description',
    'metadata',
    'api_version',
    'connect',
  ]);
  const url = urlOf(call);
  const enabledEvents = eventsOf(call);
  const endpoint = newEndpoint(`we_1${tools.random.text(23)}`, now, url, enabledEvents);
  const saved = { ...endpoint, metadata: metadataParam(params) };
  const reply = await replyWith(call, endpoint.id, [saved]);
  return { ...reply, body: { ...reply.body, secret: tools.secrets.webhookSecret } };
};

const urlOf = ({ params }: Call): string => {
  const url = requiredParam(params, 'url');
  if (!URL.canParse(url)) throw invalid('Invalid URL.', 'url', 'url_invalid');
  return url;
};

const eventsOf = ({ params }: Call): readonly string[] => {
  const enabledEvents = textsParam(params, 'enabled_events');
  if (enabledEvents.length === 0) throw invalid('enabled_events is required.', 'enabled_events');
  return enabledEvents;
};

const openEndpoint = async (call: Call): Promise<EndpointRecord> => {
  const endpoint = await call.transaction.get('endpoint', call.id);
  if (!endpoint.isEnabled) throw missing('endpoint', call.id);
  return endpoint;
};

export const readEndpoint: Operation = async (call) => {
  await openEndpoint(call);
  return { body: await renderById(call, call.id) };
};

export const listEndpoints: Operation = async (call) => {
  refuseUnknownParams(call.params, paging);
  const query = { kind: 'endpoint', limit: limits.recordsSearched } as const;
  const open = (await call.tools.store.list(query)).filter(({ isEnabled }) => isEnabled);
  const { some, hasMore } = pageIn(
    open.map(({ id, createdAt }) => ({ id, at: createdAt })),
    call,
  );
  return { body: listBody('/v1/webhook_endpoints', await showAll(call, some), hasMore) };
};

export const updateEndpoint: Operation = async (call) => {
  const { params } = call;
  refuseUnknownParams(params, ['url', 'enabled_events', 'metadata']);
  const endpoint = await openEndpoint(call);
  const updated: EndpointRecord = {
    ...endpoint,
    ...(paramAt(params, 'url') !== undefined && { url: urlOf(call) }),
    ...(paramAt(params, 'enabled_events') !== undefined && { enabledEvents: eventsOf(call) }),
    metadata: metadataParam(params, 'metadata', endpoint.metadata),
  };
  return replyWith(call, endpoint.id, [updated]);
};

const newEndpoint = (
  id: string,
  now: number,
  url: string,
  enabledEvents: readonly string[],
): EndpointRecord => ({
  kind: 'endpoint',
  id,
  ...unsaved(now),
  metadata: {},
  ...{ url, enabledEvents, isEnabled: true },
});

// A deleted endpoint gets no new events; deliveries under way may still arrive.
export const deleteEndpoint: Operation = async (call) => {
  const endpoint = await openEndpoint(call);
  const silent: EndpointRecord = { ...endpoint, enabledEvents: [], isEnabled: false };
  return {
    body: { id: endpoint.id, object: 'webhook_endpoint', deleted: true },
    saved: [silent],
  };
};

// Registers the addresses of the settings for every event; doing it again changes nothing.
export const registerEndpoints = async (
  tools: CardTools,
  urls: readonly string[],
): Promise<void> => {
  const { store, clock } = tools;
  for (const url of urls) {
    const id = `we_${createHash('sha256').update(url).digest('hex').slice(0, 24)}`;
    const now = clock.now();
    const known = await store.find(id);
    const wanted = newEndpoint(id, now, url, ['*']);
    const saved = known ? { ...wanted, version: known.version } : wanted;
    await store.commit({ saved: [saved], events: [], answer: undefined, at: now });
  }
};
