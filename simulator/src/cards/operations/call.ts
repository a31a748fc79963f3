import type { EventStore } from '../books/event-store.ts';
import type { Desk } from '../desk/desk.ts';
import type { CardRecord, Happening } from '../model.ts';
import type { CardTools } from '../ports.ts';
import type { Params } from '../wire/form.ts';

export type Call = {
  readonly tools: CardTools;
  readonly events: EventStore;
  readonly desk: Desk;
  // The id in the address, where there is one.
  readonly id: string;
  readonly params: Params;
  readonly now: number;
};

export type Reply = {
  readonly status?: number;
  readonly body: object;
  readonly saved?: readonly CardRecord[];
  readonly happenings?: readonly Happening[];
};

export type Operation = (call: Call) => Promise<Reply>;

export const shown = async (call: Call, id: string): Promise<object> => {
  const body = await call.desk.show(id);
  if (!body) throw new Error(`${id} cannot be shown`);
  return body;
};

// Saves the records and answers the one named.
export const replyWith = async (
  call: Call,
  id: string,
  saved: readonly CardRecord[],
  happenings: readonly Happening[] = [],
): Promise<Reply> => {
  call.desk.put(saved);
  return { body: await shown(call, id), saved, happenings };
};
