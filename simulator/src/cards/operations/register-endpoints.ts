import { createHash } from 'node:crypto';
import type { CardTools } from '../ports.ts';
import { newEndpoint } from './endpoints.ts';

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
