import type { Statement } from './statement.ts';

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
