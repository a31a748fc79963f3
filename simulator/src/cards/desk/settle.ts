import type { CardRecord, Change } from '../model.ts';
import type { CardTools } from '../ports.ts';
import { dueAt, expireSession, intentAt } from '../rules/fall-due.ts';
import { commitWork } from './commit-work.ts';
import { type Find, showFrom } from './show.ts';

export const isDue = (record: CardRecord, now: number): boolean => {
  const due = dueAt(record);
  return due !== undefined && due <= now + record.clockOffsetMs;
};

// Writes down what time has done to a record. Whoever comes second finds it done.
export const settle = async (tools: CardTools, record: CardRecord): Promise<void> => {
  const change = await changeDue(tools, record);
  const saved = new Map(change.saved.map((each) => [each.id, each]));
  const find: Find = async (id) => saved.get(id) ?? tools.store.find(id);
  await commitWork(tools, showFrom(find, tools.pagesUrl), change);
};

const changeDue = async (tools: CardTools, record: CardRecord): Promise<Change> => {
  const now = tools.clock.now() + record.clockOffsetMs;
  if (record.kind === 'session') {
    const paid = record.intentId ? await tools.store.find(record.intentId) : undefined;
    return expireSession(record, paid?.kind === 'intent' ? paid : undefined, now);
  }
  if (record.kind !== 'intent') return { saved: [], happenings: [] };
  const { intent, happenings } = intentAt(record, now);
  return { saved: [intent], happenings };
};

export const settleNamed = async (tools: CardTools, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    const record = await tools.store.find(id);
    if (record && isDue(record, tools.clock.now())) await settle(tools, record);
  }
};
