import { batchCalls } from '#platform/database/batch-calls.ts';
import { DatabaseUnavailable } from '#platform/database/database-unavailable.ts';
import type { Database } from '#platform/database/open-database.ts';
import type { Act, Detail } from './act.ts';
import { insertRecords } from './store/records.ts';

export type NewRecord =
  | (Act & { readonly kind: 'ACT'; readonly recordId: string; readonly outcome: string | null })
  | {
      readonly kind: 'OUTCOME';
      readonly recordId: string;
      readonly merchantId: string | null;
      readonly detail: Detail;
      readonly outcome: string;
    };

type Append = (record: NewRecord) => Promise<void>;
type System = Pick<Database, 'system'>;

const maxBatchSize = 200;
const maxWaiting = 5_000;
const maxWaitMs = 5_000;

/**
 * Adds a record to the chain. All records of a process go in by one statement after the other, each with
 * what waited meanwhile: the lock of the chain never takes more than one connection of a program.
 */
export const appendRecord = (database: System, record: NewRecord): Promise<void> => {
  const append = queues.get(database) ?? startQueue(database);
  queues.set(database, append);
  return append(record);
};

const queues = new WeakMap<System, Append>();

const startQueue = (database: System): Append =>
  batchCalls<NewRecord, void>({
    run: async (records) => {
      const written = records.map((record) => ({
        ...record,
        detail: JSON.stringify(record.detail),
      }));
      await database.system(insertRecords, { records: JSON.stringify(written) });
      return [];
    },
    keysOf: () => [],
    isOutcomeUnknown: (error) => error instanceof DatabaseUnavailable && error.isOutcomeUnknown,
    overloaded: (reason) => new DatabaseUnavailable(new Error(reason), false),
    ...{ maxConcurrent: 1, maxBatchSize, maxWaiting, maxWaitMs },
  });
