import { apiVersion } from '../api-version.ts';
import type { CardRecord, Happening } from '../model.ts';
import type { CardTools, Commit, Committed } from '../ports.ts';
import type { Rendered } from '../wire/rendered.ts';
import type { Show } from './show.ts';

export type Work = {
  readonly saved: readonly CardRecord[];
  readonly happenings: readonly Happening[];
  readonly answer?: Commit['answer'];
  readonly request?: { readonly id: string; readonly idempotencyKey: string | undefined };
};

// `show` must see the records as they are about to be saved: an event tells the new state.
export const commitWork = async (tools: CardTools, show: Show, work: Work): Promise<Committed> => {
  const now = tools.clock.now();
  const shown = await Promise.all(work.happenings.map(({ id }) => show(id)));
  const events = work.happenings.map(({ type }, index) => {
    const object = shown[index];
    if (!object) throw new Error(`nothing to tell about ${type}`);
    const id = `evt_3${tools.random.text(23)}`;
    return { id, type, createdAt: now, body: eventBody(id, type, object, now, work.request) };
  });
  return tools.store.commit({ saved: work.saved, events, answer: work.answer, at: now });
};

const eventBody = (
  id: string,
  type: string,
  object: Rendered,
  now: number,
  request: Work['request'],
): string =>
  JSON.stringify({
    id,
    object: 'event',
    api_version: apiVersion,
    created: Math.floor(now / 1000),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: request?.id ?? null, idempotency_key: request?.idempotencyKey ?? null },
    type,
  });
