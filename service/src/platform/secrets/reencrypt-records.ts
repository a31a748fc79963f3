import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { type Statement, statement } from '#platform/database/statement.ts';
import type { Uses } from '../tools.ts';
import type { SecretContext, Secrets } from './open-secrets.ts';

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
  readonly find: Statement<FindValues, StoredRecord>;
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
const unreadableShown = 10;

type ReencryptTools = Uses<'secrets'> & { readonly database: Pick<Database, 'system'> };

/** Records that another key encrypted. */
export type Found = {
  readonly count: number;
  /** What no given key decrypts, or was damaged: it stays as it is. */
  readonly unreadable: number;
};

/**
 * Encrypts with the first master key whatever another one encrypted, while the programs run: zero of both
 * means that the other keys can be removed. A record that cannot be decrypted keeps no other from it.
 */
export const reencryptRecords = async (
  tools: ReencryptTools,
  columns: readonly EncryptedColumn[],
  report: (line: string) => Promise<void>,
): Promise<Found> => {
  let found: Found = { count: 0, unreadable: 0 };
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    found = { count: 0, unreadable: 0 };
    for (const column of columns) {
      const { count, unreadable } = await reencryptColumn(tools, column, report, pass === 1);
      found = { count: found.count + count, unreadable: found.unreadable + unreadable };
    }
    if (found.count === found.unreadable) return found;
  }
  return found;
};

const reencryptColumn = async (
  { database, secrets }: ReencryptTools,
  column: EncryptedColumn,
  report: (line: string) => Promise<void>,
  isFirst: boolean,
): Promise<Found> => {
  const { newestKeyId: keyId } = secrets;
  const name = `${column.table}.${column.column}`;
  let after = column.start;
  let [count, unreadable] = [0, 0];
  for (;;) {
    const rows = await database.system(column.find, { after, keyId, limit: batchSize });
    const last = rows.at(-1);
    if (!last) return { count, unreadable };
    const { changed, failed } = encryptAgain(secrets, column, rows);
    if (isFirst)
      for (const { place, reason } of failed.slice(0, Math.max(0, unreadableShown - unreadable)))
        await report(`${name} of ${place} stays as it is: ${reason}`);
    await database.system(column.write, { rows: JSON.stringify(changed) });
    count += rows.length;
    unreadable += failed.length;
    after = column.key.map((key) => last.row[key] ?? '');
    await report(`${name}: ${count - unreadable} records encrypted again`);
  }
};

type StoredRecord = { readonly row: RecordRow; readonly record: Buffer };

const encryptAgain = (
  secrets: Secrets,
  { key, contextOf }: EncryptedColumn,
  rows: readonly StoredRecord[],
) => {
  const changed: object[] = [];
  const failed: { readonly place: string; readonly reason: string }[] = [];
  for (const { row, record } of rows)
    try {
      const context = contextOf(row);
      const again = secrets.encrypt(secrets.decrypt(record, context), context);
      changed.push({ ...row, old: record.toString('hex'), new: again.toString('hex') });
    } catch (error) {
      const place = key.map((each) => row[each]).join(' ');
      failed.push({ place, reason: (error as Error).message });
    }
  return { changed, failed };
};
