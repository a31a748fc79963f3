import { createHash } from 'node:crypto';
import type { EndpointRecord } from '../model.ts';
import type { CardTools } from '../ports.ts';
import { invalid } from '../rules/api-error.ts';
import {
  metadataParam,
  paramAt,
  refuseUnknownParams,
  requiredParam,
  textsParam,
} from '../wire/parameters.ts';
import { type Operation, renderById, replyWith } from './call.ts';
import { listBody } from './lists.ts';

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
  const url = requiredParam(params, 'url');
  if (!URL.canParse(url)) throw invalid('Invalid URL.', 'url', 'url_invalid');
  const enabledEvents = textsParam(params, 'enabled_events');
  if (enabledEvents.length === 0) throw invalid('enabled_events is required.', 'enabled_events');
  const endpoint = newEndpoint(`we_1${tools.random.text(23)}`, now, url, enabledEvents);
  const saved = { ...endpoint, metadata: metadataParam(params) };
  const reply = await replyWith(call, endpoint.id, [saved]);
  return { ...reply, body: { ...reply.body, secret: tools.secrets.webhookSecret } };
};

const newEndpoint = (
  id: string,
  now: number,
  url: string,
  enabledEvents: readonly string[],
): EndpointRecord => ({
  kind: 'endpoint',
  id,
  createdAt: now,
  ...{ customerId: null, version: 0, clockOffsetMs: 0, metadata: {} },
  ...{ url, enabledEvents, isEnabled: true },
});

export const readEndpoint: Operation = async (call) => {
  await call.transaction.get('endpoint', call.id);
  return { body: await renderById(call, call.id) };
};

export const updateEndpoint: Operation = async (call) => {
  refuseUnknownParams(call.params, [
    'url',
    'enabled_events',
    'description',
    'metadata',
    'disabled',
  ]);
  const endpoint = await call.transaction.get('endpoint', call.id);
  const { params } = call;
  const updated: EndpointRecord = {
    ...endpoint,
    url: paramAt(params, 'url') === undefined ? endpoint.url : requiredParam(params, 'url'),
    enabledEvents:
      paramAt(params, 'enabled_events') === undefined
        ? endpoint.enabledEvents
        : textsParam(params, 'enabled_events'),
  };
  return replyWith(call, updated.id, [updated]);
};

// A deleted endpoint gets no new events; deliveries under way may still arrive.
export const deleteEndpoint: Operation = async (call) => {
  const endpoint = await call.transaction.get('endpoint', call.id);
  const silent: EndpointRecord = { ...endpoint, enabledEvents: [], isEnabled: false };
  return {
    body: { id: endpoint.id, object: 'webhook_endpoint', deleted: true },
    saved: [silent],
  };
};

export const listEndpoints: Operation = async (call) => {
  const found = await call.tools.store.list({ kind: 'endpoint', limit: 100 });
  const living = found.filter((each) => each.isEnabled);
  const data = await Promise.all(living.map(({ id }) => renderById(call, id)));
  return { body: listBody('/v1/webhook_endpoints', data) };
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
