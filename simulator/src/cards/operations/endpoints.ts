import { createHash } from 'node:crypto';
import { type EndpointRecord, unsaved } from '../model.ts';
import type { CardTools } from '../ports.ts';
import { invalid } from '../rules/api-error.ts';
import {
  metadataParam,
  refuseUnknownParams,
  requiredParam,
  textsParam,
} from '../wire/parameters.ts';
import { type Operation, replyWith } from './call.ts';

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
  ...unsaved(now),
  metadata: {},
  ...{ url, enabledEvents, isEnabled: true },
});

// A deleted endpoint gets no new events; deliveries under way may still arrive.
export const deleteEndpoint: Operation = async (call) => {
  const endpoint = await call.transaction.get('endpoint', call.id);
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
