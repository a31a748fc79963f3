import { sql } from '#platform/database/sql.ts';
import { type Statement, statement } from '#platform/database/statement.ts';

type ColumnType = 'uuid' | 'text' | 'boolean' | 'bigint' | 'integer' | 'timestamptz' | 'bytea';

type Described = {
  readonly table: string;
  /** The columns by the names that the sign-in library gives them; `id` is the primary key. */
  readonly columns: Readonly<Record<string, readonly [string, ColumnType]>>;
  /** What rows are found by: `name` for equality, `name!` for another, `name<`, `name>`. */
  readonly filters: readonly string[];
};

type Filtered = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, unknown>>;

export type IdentityTable = Pick<Described, 'columns' | 'filters'> & {
  readonly insert: Statement<{ readonly row: string }, Row>;
  readonly find: Statement<Filtered, Row>;
  readonly update: Statement<Filtered, Row>;
  readonly remove: Statement<Filtered, Row>;
};

/**
 * The four statements of a table that the sign-in library writes: it says which columns it wants, these
 * say how. A filter that is not described here is refused before any statement.
 */
export const identityTable = ({ table, columns, filters }: Described): IdentityTable => {
  const entries = Object.entries(columns);
  const names = entries.map(([, [column]]) => column);
  const shown = entries.map(([name, [column]]) => `${column} as "${name}"`).join(', ');
  const [key = ''] = columns.id ?? [];
  const where = sql(...filters.map(valueName))`${filters.map(filterSql(columns)).join(' and ')}`;
  const record = `jsonb_populate_record(null::${table}, :row::jsonb) r`;
  const perCall = { isPlannedPerCall: true } as const;
  const statements = {
    insert: statement<{ readonly row: string }, Row>(
      `${table}_identity_insert`,
      sql('row')`
   insert into ${table} (${names.join(', ')})
   select ${names.map((name) => `r.${name}`).join(', ')} from ${record} returning ${shown}`,
      { guardedBy: 'primary key and unique columns' },
    ),
    find: statement<Filtered, Row>(
      `${table}_identity_find`,
      sql('limit')`
   select ${shown} from ${table} t where ${where} order by ${newestFirst(names, key)} limit :limit`,
      perCall,
    ),
    update: statement<Filtered, Row>(
      `${table}_identity_update`,
      sql('row')`
   update ${table} t set ${names.map(changed).join(', ')} from ${record}
   where ${where} returning ${names.map((name, at) => `t.${name} as "${entries[at]?.[0]}"`).join(', ')}`,
      { ...perCall, guardedBy: 'one statement: the filters are looked at again under its lock' },
    ),
    remove: statement<Filtered, Row>(
      `${table}_identity_remove`,
      sql('limit')`
   delete from ${table} where ${key} in (select t.${key} from ${table} t where ${where} limit :limit)
   returning ${shown}`,
      { ...perCall, guardedBy: 'what two want to take only one of them is given' },
    ),
  };
  return { columns, filters, ...statements };
};

/** Values are named by letters and digits alone. */
export const valueName = (filter: string): string =>
  filter.replace('<', 'Before').replace('>', 'After').replace('!', 'Not');

const comparisons: Readonly<Record<string, string>> = { '<': '<=', '>': '>=', '!': '<>' };

const filterSql =
  (columns: Described['columns']) =>
  (filter: string): string => {
    const name = filter.replace(/[<>!]$/, '');
    const [column, type] = columns[name] ?? ['', ''];
    const given = `:${valueName(filter)}::${type}`;
    return `(${given} is null or t.${column} ${comparisons[filter.at(-1) ?? ''] ?? '='} ${given})`;
  };

const newestFirst = (names: readonly string[], key: string): string =>
  names.includes('created_at') ? `t.created_at desc, t.${key}` : `t.${key}`;

/** A column that the row does not name stays. */
const changed = (name: string): string =>
  `${name} = case when :row::jsonb ? '${name}' then r.${name} else t.${name} end`;
