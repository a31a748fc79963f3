import type { CardRecord, Outcome, RecordOf } from '../model.ts';
import type { CardTools } from '../ports.ts';
import { missing } from '../rules/api-error.ts';
import { applyDueChanges, commitChanges, isDue } from './commit-changes.ts';
import { renderByIdFrom } from './render-by-id.ts';

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

export type Transaction = ReturnType<typeof openTransaction>;

// A consistent view: each record is read once, and later reads see the changes of this transaction.
export const openTransaction = (tools: CardTools) => {
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
    get: async <Kind extends CardRecord['kind']>(kind: Kind, id: string, param?: string) => {
      const record = await find(kind, id);
      if (record) return record;
      throw missing(kind, id, param);
    },
    put: (records: readonly CardRecord[]) => {
      for (const record of records) seen.set(record.id, record);
    },
    render: renderByIdFrom(read, tools.pagesUrl),
  };
};
