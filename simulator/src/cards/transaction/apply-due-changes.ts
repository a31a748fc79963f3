import type { CardRecord, Change } from '../model.ts';
import type { CardTools } from '../ports.ts';
import { dueAt, expireSession, intentAt } from '../rules/due-at.ts';
import { commitChanges } from './commit-changes.ts';
import { type Find, renderByIdFrom } from './render-by-id.ts';

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
