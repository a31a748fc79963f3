import type { CardRecord, RecordOf } from '../model.ts';
import type { CardTools } from '../ports.ts';
import { missing } from '../rules/api-error.ts';
import { isDue, settle } from './settle.ts';
import { type Show, showFrom } from './show.ts';

// What one piece of work sees: each record once, as of its own first look, plus what it has changed.
export type Desk = {
  find<Kind extends CardRecord['kind']>(
    kind: Kind,
    id: string,
  ): Promise<RecordOf<Kind> | undefined>;
  get<Kind extends CardRecord['kind']>(
    kind: Kind,
    id: string,
    param?: string,
  ): Promise<RecordOf<Kind>>;
  put(records: readonly CardRecord[]): void;
  readonly show: Show;
};

export const openDesk = (tools: CardTools): Desk => {
  const seen = new Map<string, CardRecord>();

  const look = async (id: string): Promise<CardRecord | undefined> => {
    const known = seen.get(id);
    if (known) return known;
    let record = await tools.store.find(id);
    if (record && isDue(record, tools.clock.now())) {
      await settle(tools, record);
      record = await tools.store.find(id);
    }
    if (record) seen.set(id, record);
    return record;
  };

  const find = async <Kind extends CardRecord['kind']>(kind: Kind, id: string) => {
    const record = await look(id);
    return record?.kind === kind ? (record as RecordOf<Kind>) : undefined;
  };

  return {
    find,
    get: async (kind, id, param) => {
      const record = await find(kind, id);
      if (record) return record;
      throw missing(kind, id, param);
    },
    put: (records) => {
      for (const record of records) seen.set(record.id, record);
    },
    show: showFrom(look, tools.pagesUrl),
  };
};
