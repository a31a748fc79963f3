import { AsyncLocalStorage } from 'node:async_hooks';
import type { CustomAdapter } from 'better-auth/adapters';
import type { NoteActor } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { digestOf } from '../access/sessions.ts';
import { claimTypedCode } from './accept-code-once.ts';
import { countFailedCode, type IdentityTable, identityTables, valueName } from './store.ts';

// The sign-in library stands between the call and the tables, and passes nothing on.
const callers = new AsyncLocalStorage<LibraryCall>();

export type LibraryCall = {
  /** The first person whose row the sign-in library reads. */
  readonly noteActor: NoteActor;
  /** A session that begins meanwhile was opened by a passkey. */
  readonly byPasskey: boolean;
};

export const withLibraryCall = <Answer>(
  call: LibraryCall,
  run: () => Promise<Answer>,
): Promise<Answer> => callers.run(call, run);

const noteActor: NoteActor = async (personId) => {
  await callers.getStore()?.noteActor(personId);
};

type AdapterTools = Uses<'database' | 'clock' | 'secrets'>;
type Row = Readonly<Record<string, unknown>>;
type Where = Parameters<CustomAdapter['deleteMany']>[0]['where'];

/**
 * Where the sign-in library keeps what it knows: our tables, by our statements. It gets and sends tokens of
 * sessions in plain; only their digests are stored, so a token is known of a session that was found by it.
 */
export const identityAdapter = (tools: AdapterTools): CustomAdapter => {
  const { database } = tools;
  const run = async (
    model: string,
    action: 'find' | 'update' | 'remove',
    where: Where | undefined,
    values: Row,
  ): Promise<readonly Row[]> => {
    const table = tableOf(model);
    const filters = filterValues(model, table, where ?? []);
    await notePerson(model, filters.values);
    const rows = await database.system(table[action], { ...filters.values, ...values });
    await notePerson(model, rows[0]);
    return rows.map((row) => plainRow(model, row, filters.token));
  };
  const write = async (model: string, where: Where, update: Row): Promise<readonly Row[]> =>
    run(model, 'update', where, { row: rowText(model, tableOf(model), update) });
  return {
    create: async ({ model, data }) => {
      const table = tableOf(model);
      await notePerson(model, data);
      const byPasskey = callers.getStore()?.byPasskey ?? false;
      const stored = model === 'session' ? { ...data, byPasskey } : data;
      const [row] = await database.system(table.insert, { row: rowText(model, table, stored) });
      return plainRow(model, row ?? {}, data.token) as typeof data;
    },
    findOne: async ({ model, where }) => {
      const [row] = await run(model, 'find', where, { limit: 1 });
      if (model === 'twoFactor') await claimTypedCode(tools, row);
      return (row ?? null) as never;
    },
    findMany: async ({ model, where, limit }) =>
      (await run(model, 'find', where, { limit })) as never,
    count: async ({ model, where }) =>
      (await run(model, 'find', where, { limit: manyRows })).length,
    update: async ({ model, where, update }) =>
      ((await write(model, where, update as Row))[0] ?? null) as never,
    updateMany: async ({ model, where, update }) => (await write(model, where, update)).length,
    delete: async ({ model, where }) => {
      await run(model, 'remove', where, { limit: 1 });
    },
    deleteMany: async ({ model, where }) =>
      (await run(model, 'remove', where, { limit: manyRows })).length,
    consumeOne: async ({ model, where }) =>
      ((await run(model, 'remove', where, { limit: 1 }))[0] ?? null) as never,
    incrementOne: async ({ model, where, increment, set = {} }) => {
      const [[field, by] = [], ...more] = Object.entries(increment);
      if (field === undefined) return ((await write(model, where, set))[0] ?? null) as never;
      const [id] = where.filter((each) => each.field === 'id');
      if (field !== 'failedVerificationCount' || more.length > 0 || where.length !== 1 || !id)
        throw new Error(`nothing counts ${field} of ${model}`);
      const counted = { id: String(id.value), by: by ?? 0 };
      return ((await database.system(countFailedCode, counted))[0] ?? null) as never;
    },
  };
};

/** Before a row of a person is changed, and as soon as one was found. */
const notePerson = async (model: string, row: Row | undefined): Promise<void> => {
  const personId = model === 'user' ? row?.id : row?.userId;
  if (typeof personId === 'string') await noteActor(personId);
};

const manyRows = 1_000;

const tableOf = (model: string): IdentityTable => {
  const table = identityTables[model];
  if (!table) throw new Error(`nothing is stored of ${model}`);
  return table;
};

const signs: Readonly<Record<string, string>> = {
  ...{ eq: '', ne: '!', lt: '<', lte: '<', gt: '>', gte: '>' },
};

/** A statement without a filter would read or change every row: none is let through. */
const filterValues = (model: string, table: IdentityTable, where: Where) => {
  const values: Record<string, unknown> = {};
  let token: unknown;
  for (const { field, value, operator, connector } of where) {
    const filter = `${field}${signs[operator] ?? operator}`;
    if (connector !== 'AND' || !table.filters.includes(filter) || value === null)
      throw new Error(`nothing finds ${model} by ${connector} ${filter}`);
    if (isToken(model, field)) token = value;
    values[valueName(filter)] = isToken(model, field) ? digestOf(String(value)) : value;
  }
  if (where.length === 0) throw new Error(`${model} is not found by nothing`);
  return { values, token };
};

const isToken = (model: string, field: string): boolean => model === 'session' && field === 'token';

/** As our columns, in JSON. A value for which there is no column must be none. */
const rowText = (model: string, table: IdentityTable, data: Row): string => {
  const row: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(data)) {
    const [column] = table.columns[field] ?? [];
    if (column) row[column] = isToken(model, field) ? hexOf(String(value)) : value;
    else if (value !== null && value !== undefined)
      throw new Error(`no column stores ${field} of ${model}`);
  }
  return JSON.stringify(row);
};

const hexOf = (token: string): string => `\\x${digestOf(token).toString('hex')}`;

const plainRow = (model: string, row: Row, token: unknown): Row => ({
  ...row,
  ...(model === 'session' ? { token: token ?? '' } : {}),
  ...(typeof row.counter === 'bigint' ? { counter: Number(row.counter) } : {}),
});
