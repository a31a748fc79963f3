type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Snake<Rest>}`
    : `_${Lowercase<First>}${Snake<Rest>}`
  : Name;

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** The row that holds what a reply shows: a column for each member, and a date for each of `Times`. */
export type RowOf<View, Times extends keyof View = never> = {
  readonly [Name in keyof View & string as Snake<Name>]: Name extends Times
    ? Date | Extract<View[Name], null>
    : View[Name];
};

/** A row with members for its columns. */
export type Named<Row> = { readonly [Name in keyof Row & string as Camel<Name>]: Row[Name] };

export const named = <Row extends object>(row: Row): Named<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as Named<Row>;

/** The same as a reply shows it: times in ISO 8601. */
type Shown<Row> = {
  [Name in keyof Row & string as Camel<Name>]: Date extends Row[Name]
    ? string | Exclude<Row[Name], Date>
    : Row[Name];
};

export const shown = <Row extends object>(row: Row): Shown<Row> =>
  Object.fromEntries(
    Object.entries(named(row)).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : value,
    ]),
  ) as Shown<Row>;

/** The column of a member: `order_id` of `orderId`. */
export const columnOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
