import { pence } from '#kernel/pence.ts';
import { bytesToHex } from '#platform/database/statement.ts';

type Type =
  | 'text'
  | 'text[]'
  | 'uuid'
  | 'int'
  | 'smallint'
  | 'boolean'
  | 'bigint'
  | 'timestamptz'
  | 'bytea'
  | 'jsonb';

export type Column = readonly [column: string, type: Type];

/** The columns of an object's members, declared once for insert, update, recordset and read. */
export type Members = Readonly<Record<string, Column>>;

type Row = Readonly<Record<string, unknown>>;

export const typesOf = (...groups: readonly Members[]): Readonly<Record<string, Type>> =>
  Object.fromEntries(groups.flatMap((members) => Object.values(members)));

/** Of a row as the driver reads it, or as `row_to_json` prints it; amounts are `Pence`. */
export const membersFrom = (members: Members, row: Row): Record<string, unknown> => {
  const object: Record<string, unknown> = {};
  for (const [member, [column, type]] of Object.entries(members))
    object[member] = read(type, row[column]);
  return object;
};

const read = (type: Type, value: unknown): unknown => {
  if (value === null || value === undefined) return null;
  if (type === 'bigint') return pence(value as bigint | number);
  if (typeof value !== 'string') return value;
  if (type === 'timestamptz') return new Date(value);
  return type === 'bytea' ? Buffer.from(value.slice(2), 'hex') : value;
};

/** A row as `jsonb_to_recordset` reads it. */
export const membersTo = (members: Members, object: object): Record<string, unknown> => {
  const row: Record<string, unknown> = {};
  for (const [member, [column, type]] of Object.entries(members))
    row[column] = write(type, (object as Row)[member]);
  return row;
};

const write = (type: Type, value: unknown): unknown => {
  if (value === null) return null;
  if (type === 'bigint') return String(value);
  return type === 'bytea' ? bytesToHex(value as Buffer) : value;
};
