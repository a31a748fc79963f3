import { apiVersion } from '../api-version.ts';
import type { CardRecord, EventDraft } from '../model.ts';
import type { CardTools, Commit, Committed } from '../ports.ts';
import type { Rendered } from '../wire/rendered.ts';
import type { RenderById } from './render-by-id.ts';

export type Changes = {
  readonly saved: readonly CardRecord[];
  readonly eventDrafts: readonly EventDraft[];
  readonly answer?: Commit['answer'];
  readonly request?: { readonly id: string; readonly idempotencyKey: string | undefined };
};

// `render` must read the records as they are about to be saved: an event holds the new state.
export const commitChanges = async (
  tools: CardTools,
  render: RenderById,
  changes: Changes,
): Promise<Committed> => {
  const now = tools.clock.now();
  const rendered = await Promise.all(changes.eventDrafts.map(({ id }) => render(id)));
  const events = changes.eventDrafts.map(({ type }, index) => {
    const object = rendered[index];
    if (!object) throw new Error(`no object for the event ${type}`);
    const id = `evt_3${tools.random.text(23)}`;
    return { id, type, createdAt: now, body: eventBody(id, type, object, now, changes.request) };
  });
  return tools.store.commit({ saved: changes.saved, events, answer: changes.answer, at: now });
};

const eventBody = (
  id: string,
  type: string,
  object: Rendered,
  now: number,
  request: Changes['request'],
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
