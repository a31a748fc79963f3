import type { CardRecord, RecordOf } from '../model.ts';
import type { CardTools, Outcome } from '../ports.ts';
import { missing } from '../rules/api-error.ts';
import { applyDueChanges, commitChanges, isDue } from './commit-changes.ts';
import { type RenderById, renderByIdFrom } from './render-by-id.ts';

const maxTries = 40;

// Decides and commits; when a record has changed in between, decides again on its new state.
export const runTransaction = async <Result>(
  tools: CardTools,
  decide: (transaction: Transaction) => Promise<Outcome<Result>>,
): Promise<Result> => {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const transaction = openTransaction(tools);
    const { saved, eventDrafts, result } = await decide(transaction);
    if (saved.length === 0) return result;
    transaction.put(saved);
    if ((await commitChanges(tools, transaction.render, { saved, eventDrafts })) === 'done')
      return result;
  }
  throw new Error('too many concurrent changes of one payment');
};

// A consistent view: each record is read once, and later reads see the changes of this transaction.
export type Transaction = {
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
  readonly render: RenderById;
};

export const openTransaction = (tools: CardTools): Transaction => {
  const seen = new Map<string, CardRecord>();

  const read = async (id: string): Promise<CardRecord | undefined> => {
    const known = seen.get(id);
    if (known) return known;
    let record = await tools.store.find(id);
    if (record && isDue(record, tools.clock.now())) {
      await applyDueChanges(tools, record);
      record = await tools.store.find(id);
    }
    if (record) seen.set(id, record);
    return record;
  };

  const find = async <Kind extends CardRecord['kind']>(kind: Kind, id: string) => {
    const record = await read(id);
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
    render: renderByIdFrom(read, tools.pagesUrl),
  };
};
