import { type Fragment, namesIn, replaceNames } from './sql.ts';

/** Columns of a table with their PostgreSQL types, declared once for insert, recordset and update. */
export type Columns = Readonly<Record<string, string>>;

/** `order_id, notes`, or `c.order_id, c.notes`. */
export const columnNames = (columns: Columns, alias?: string): string =>
  Object.keys(columns)
    .map((column) => (alias ? `${alias}.${column}` : column))
    .join(', ');

/** `order_id text, notes text`: how `jsonb_to_recordset` reads them. */
export const columnTypes = (columns: Columns): string =>
  Object.entries(columns)
    .map(([column, type]) => `${column} ${type}`)
    .join(', ');

/** Bytes as PostgreSQL reads them out of JSON. */
export const bytesToHex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/**
 * A named prepared statement, made once when the program starts: the `:names` of its fragment become
 * `$1…`, so a call only lines up its values.
 */
export const statement = <Values, Row>(
  name: string,
  { sql }: Fragment<NoInfer<keyof Values & string>>,
  options: StatementOptions = {},
): Statement<Values, Row> => {
  const valueNames = namesIn(sql);
  const { guardedBy = null, readsWholeTables = false } = options;
  register({ name, sql, guardedBy, readsWholeTables });
  return {
    name,
    text: replaceNames(sql, (valueName) => `$${valueNames.indexOf(valueName) + 1}`),
    valueNames: valueNames as (keyof Values & string)[],
    isPlannedPerCall: options.isPlannedPerCall ?? false,
    readsWholeTables,
    mayTakeMinutes: options.mayTakeMinutes ?? false,
  };
};

export type Statement<Values, Row> = {
  readonly name: string;
  readonly text: string;
  readonly valueNames: readonly (keyof Values & string)[];
  readonly row?: Row;
  /** Optional filters make one plan for all values a bad one. */
  readonly isPlannedPerCall?: boolean;
  /** Verifications and reports read whole tables; other statements across merchants may not. */
  readonly readsWholeTables?: boolean;
  /** Nobody waits for it: it reads every row of a table that grows for ever. */
  readonly mayTakeMinutes?: boolean;
};

type StatementOptions = Pick<
  Statement<never, never>,
  'isPlannedPerCall' | 'readsWholeTables' | 'mayTakeMinutes'
> & {
  /** What keeps a write correct under concurrent writes, or when it is sent twice. */
  readonly guardedBy?: string;
};

/** Sees the rows of one merchant only. */
export type TenantQuery = <Values, Row>(
  merchantId: string,
  statement: Statement<Values, Row>,
  values: Values,
  /** Left out: as long as any query may take. */
  withinMs?: number,
) => Promise<Row[]>;

export type MadeStatement = {
  readonly name: string;
  readonly sql: string;
  readonly guardedBy: string | null;
  readonly readsWholeTables: boolean;
};

const register = (made: MadeStatement): void => {
  const known = registry.get(made.name);
  if (known && known.sql !== made.sql) throw new Error(`two statements have the name ${made.name}`);
  // PostgreSQL does not keep a statement without a name.
  if (made.name !== '') registry.set(made.name, made);
};

const registry = new Map<string, MadeStatement>();

/** Every statement whose store was loaded, for the generated pages and the tests of all statements. */
export const madeStatements = (): readonly MadeStatement[] => [...registry.values()];
