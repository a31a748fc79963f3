import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { type Statement, statement } from '#platform/database/statement.ts';
import type { Uses } from '../tools.ts';
import type { SecretContext } from './open-secrets.ts';

/** Columns of a row as text, by name. */
export type RecordRow = Readonly<Record<string, string>>;

type Described = {
  readonly table: string;
  readonly column: string;
  /** It belongs to no merchant: its primary key begins with the environment. */
  readonly isOfNoMerchant?: true;
  /** The primary key after merchant_id and environment, with the types of its columns. */
  readonly key: Readonly<Record<string, 'uuid' | 'text' | 'smallint'>>;
  /** What the context needs beside the key. */
  readonly reads?: readonly string[];
  readonly contextOf: (row: RecordRow) => SecretContext;
};

type FindValues = {
  readonly after: readonly string[];
  readonly keyId: Buffer;
  readonly limit: number;
};

export type EncryptedColumn = Pick<Described, 'table' | 'column' | 'contextOf'> & {
  /** Names of the primary key, in its order. */
  readonly key: readonly string[];
  /** Before every row. */
  readonly start: readonly string[];
  readonly find: Statement<FindValues, { readonly row: RecordRow; readonly record: Buffer }>;
  readonly write: Statement<{ readonly rows: string }, { readonly written: bigint }>;
};

const starts = {
  uuid: '00000000-0000-0000-0000-000000000000',
  text: '',
  smallint: '-32768',
} as const;

/** A column that a new master key encrypts again. */
export const encryptedColumn = (described: Described): EncryptedColumn => {
  const { table, column, contextOf, reads = [] } = described;
  const types: Described['key'] = {
    ...(described.isOfNoMerchant ? {} : { merchant_id: 'uuid' }),
    ...{ environment: 'text', ...described.key },
  };
  const key = Object.keys(types);
  const typed = Object.entries(types);
  const after = typed.map(([, type], at) => `(:after::text[])[${at + 1}]::${type}`);
  const shown = [...key, ...reads].map((name) => `'${name}', ${name}::text`);
  return {
    ...{ table, column, contextOf, key },
    start: typed.map(([, type]) => starts[type]),
    find: statement(
      `reencrypt_find_${table}_${column}`,
      sql('after', 'keyId', 'limit')`
   select jsonb_build_object(${shown.join(', ')}) as row, ${column} as record from ${table}
   where (${key.join(', ')}) > (${after.join(', ')})
     and substring(${column} from 2 for 4) <> :keyId::bytea
   order by ${key.join(', ')} limit :limit`,
      { readsWholeTables: true },
    ),
    write: statement(
      `reencrypt_write_${table}_${column}`,
      sql('rows')`
   with changed as (
     update ${table} t set ${column} = decode(n.new, 'hex')
     from jsonb_to_recordset(:rows::jsonb)
       as n (${typed.map(([name, type]) => `${name} ${type}`).join(', ')}, old text, new text)
     where ${key.map((name) => `t.${name} = n.${name}`).join(' and ')}
       and t.${column} = decode(n.old, 'hex')
     returning 1)
   select count(*) as written from changed`,
      { guardedBy: 'the record that was read: what changed meanwhile is looked at again' },
    ),
  };
};

const batchSize = 500;
// A record that a program is writing at this moment is found by the next pass.
const maxPasses = 10;

type ReencryptTools = Uses<'secrets'> & { readonly database: Pick<Database, 'system'> };

/**
 * Encrypts with the first master key whatever another one encrypted, while the programs run. Answers
 * how many records still need another key: zero means that it can be removed.
 */
export const reencryptRecords = async (
  tools: ReencryptTools,
  columns: readonly EncryptedColumn[],
  report: (line: string) => Promise<void>,
): Promise<number> => {
  let left = 0;
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    left = 0;
    for (const column of columns) left += await reencryptColumn(tools, column, report);
    if (left === 0) return 0;
  }
  return left;
};

/** Answers how many records it found under another key. */
const reencryptColumn = async (
  { database, secrets }: ReencryptTools,
  column: EncryptedColumn,
  report: (line: string) => Promise<void>,
): Promise<number> => {
  const { newestKeyId: keyId } = secrets;
  let after = column.start;
  let found = 0;
  for (;;) {
    const rows = await database.system(column.find, { after, keyId, limit: batchSize });
    const last = rows.at(-1);
    if (!last) return found;
    const changed = rows.map(({ row, record }) => {
      const context = column.contextOf(row);
      const again = secrets.encrypt(secrets.decrypt(record, context), context);
      return { ...row, old: record.toString('hex'), new: again.toString('hex') };
    });
    await database.system(column.write, { rows: JSON.stringify(changed) });
    found += rows.length;
    after = column.key.map((name) => last.row[name] ?? '');
    await report(`${column.table}.${column.column}: ${found} records encrypted again`);
  }
};
