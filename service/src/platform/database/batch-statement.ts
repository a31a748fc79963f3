import { batchCalls } from './batch-calls.ts';
import type { Statement, TenantQuery } from './statement.ts';

/** A statement that handles one item of a tenant or many in the same way. */
export type BatchStatement<Item, Values, Row> = {
  readonly statement: Statement<Values & Scope, Row & { readonly item: number }>;
  /** The values of all items; each row names the index of its item as `item`. */
  readonly valuesOf: (items: readonly Item[]) => Values;
  /** Items with a key in common would change the same row, so they never share a batch. */
  readonly keysOf: (item: Item) => readonly string[];
};

export type Scope = { readonly merchantId: string; readonly environment: string };

/** Runs an item in one batch with concurrent items of the same statement and tenant. */
export type BatchedQuery = <Item, Values, Row>(
  tenant: Scope,
  batch: BatchStatement<Item, Values, Row>,
  item: Item,
) => Promise<Row | undefined>;

// Per statement and tenant. More at once would make smaller batches, and one tenant with locked rows
// would hold the connections that the others need.
const maxConcurrent = 2;
const maxBatchSize = 32;
const maxWaiting = 2_000;
const maxWaitMs = 5_000;
const maxCallMs = 9_500;

type AnyBatch = BatchStatement<unknown, unknown, unknown>;
type Call = (item: unknown) => Promise<unknown>;

/** One batcher per statement and tenant, for as long as it has callers. */
export const runBatched = (query: TenantQuery): BatchedQuery => {
  const open = new Map<string, { readonly call: Call; callers: number }>();
  const call = async (tenant: Scope, batch: AnyBatch, item: unknown): Promise<unknown> => {
    const key = `${batch.statement.name} ${tenant.merchantId} ${tenant.environment}`;
    const found = open.get(key) ?? { call: startBatching(query, tenant, batch), callers: 0 };
    open.set(key, found);
    found.callers += 1;
    try {
      return await found.call(item);
    } finally {
      found.callers -= 1;
      if (found.callers === 0) open.delete(key);
    }
  };
  return call as BatchedQuery;
};

const startBatching = (
  query: TenantQuery,
  { merchantId, environment }: Scope,
  { statement, valuesOf, keysOf }: AnyBatch,
): Call =>
  batchCalls<unknown, unknown>({
    run: async (items, waitedMs) => {
      const values = { ...(valuesOf(items) as object), merchantId, environment };
      const rows = await query(merchantId, statement, values, maxCallMs - waitedMs);
      const results: unknown[] = items.map(() => undefined);
      for (const row of rows) results[row.item] = row;
      return results;
    },
    keysOf,
    maxWaiting,
    maxWaitMs,
    maxConcurrent,
    maxBatchSize,
  });
