import type { Statement } from './statement.ts';

/** A statement that does for many items of one tenant what it does for one. */
export type StatementForMany<Item, Values, Row> = {
  readonly asked: Statement<Values & Scope, Row & { readonly item: number }>;
  /** The values that tell the items by their index, which their rows name as `item`. */
  readonly valuesOf: (items: readonly Item[]) => Values;
  /** Items that would meet in one row: they never go together. */
  readonly keysOf: (item: Item) => readonly string[];
};

export type Scope = { readonly merchantId: string; readonly environment: string };

/** Together with what others ask of the same statement for the same tenant at this moment. */
export type GatheredQuery = <Item, Values, Row>(
  tenant: Scope,
  asked: StatementForMany<Item, Values, Row>,
  item: Item,
) => Promise<Row | undefined>;
