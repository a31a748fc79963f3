import type { Commit, Committed } from '../card-store.ts';
import { apiVersion, type CardRecord, type Change } from '../model.ts';
import type { CardTools } from '../ports.ts';
import { dueAt, expireSession, intentAt } from '../rules/due-at.ts';
import type { Rendered } from '../wire/render-charge.ts';
import { type Find, type RenderById, renderByIdFrom } from './render-by-id.ts';

type Changes = Change & {
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
    return { id, type, body: eventBody(id, type, object, now, changes.request) };
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

// Saves what time alone has changed in a record. A second call finds nothing to change.
export const applyDueChanges = async (tools: CardTools, record: CardRecord): Promise<void> => {
  const change = await changeDue(tools, record);
  const saved = new Map(change.saved.map((each) => [each.id, each]));
  const find: Find = async (id) => saved.get(id) ?? tools.store.find(id);
  await commitChanges(tools, renderByIdFrom(find, tools.pagesUrl), change);
};

export const isDue = (record: CardRecord, now: number): boolean => {
  const due = dueAt(record);
  return due !== undefined && due <= now + record.clockOffsetMs;
};

const changeDue = async (tools: CardTools, record: CardRecord): Promise<Change> => {
  const now = tools.clock.now() + record.clockOffsetMs;
  if (record.kind === 'session') {
    const paid = record.intentId ? await tools.store.find(record.intentId) : undefined;
    return expireSession(record, paid?.kind === 'intent' ? paid : undefined, now);
  }
  if (record.kind !== 'intent') return { saved: [], eventDrafts: [] };
  const { intent, eventDrafts } = intentAt(record, now);
  return { saved: [intent], eventDrafts };
};

export const applyDueChangesOf = async (
  tools: CardTools,
  ids: readonly string[],
): Promise<void> => {
  for (const id of ids) {
    const record = await tools.store.find(id);
    if (record && isDue(record, tools.clock.now())) await applyDueChanges(tools, record);
  }
};
