import type { EventStore } from '../event-store.ts';
import type { CardRecord, EventDraft } from '../model.ts';
import type { CardTools } from '../ports.ts';
import type { Transaction } from '../transaction/transaction.ts';
import type { Params } from '../wire/parameters.ts';

export type Call = {
  readonly tools: CardTools;
  readonly events: EventStore;
  readonly transaction: Transaction;
  // The id in the address, if there is one.
  readonly id: string;
  readonly params: Params;
  readonly now: number;
};

export type Reply = {
  readonly status?: number;
  readonly body: object;
  readonly saved?: readonly CardRecord[];
  readonly eventDrafts?: readonly EventDraft[];
};

export type Operation = (call: Call) => Promise<Reply>;

export const renderById = async (call: Call, id: string): Promise<object> => {
  const body = await call.transaction.render(id);
  if (!body) throw new Error(`${id} cannot be rendered`);
  return body;
};

export const readRecord =
  (kind: CardRecord['kind']): Operation =>
  async (call) => {
    await call.transaction.get(kind, call.id);
    return { body: await renderById(call, call.id) };
  };

// Saves the records and answers the one named.
export const replyWith = async (
  call: Call,
  id: string,
  saved: readonly CardRecord[],
  eventDrafts: readonly EventDraft[] = [],
): Promise<Reply> => {
  call.transaction.put(saved);
  return { body: await renderById(call, id), saved, eventDrafts };
};
