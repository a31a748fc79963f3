import { webcrypto } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pg from 'pg';
import type { Database } from '../../service/src/platform/database/open-database.ts';

/** What a journey costs on every machine. */
export type Work = {
  /** How often each statement was sent, by its name. */
  readonly statements: ReadonlyMap<string, number>;
  /** Statements that waited for the ones before. */
  readonly rounds: number;
  /** Transactions that wrote. */
  readonly commits: number;
  readonly rowsWritten: number;
  /** By the way they go: method, and path without ids. */
  readonly calls: ReadonlyMap<string, number>;
  readonly bytesSent: number;
  readonly signatures: number;
};

type Counted = {
  statements: Map<string, number>;
  rounds: number;
  calls: Map<string, number>;
  bytesSent: number;
  signatures: number;
};

const nothing = (): Counted => ({
  statements: new Map(),
  rounds: 0,
  calls: new Map(),
  bytesSent: 0,
  signatures: 0,
});

/** Sent by the clock: written for many requests at once, or read again once what was kept is too old. */
const byTheClock = /^(request_log|page_opening|access_secret_find|card_account_list)/;

const add = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

/** Of the service, which shares this process with simulator, test and the payer's browser. */
const isOfService = (): boolean => {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const { stack = '' } = new Error('where');
  Error.stackTraceLimit = limit;
  return (
    /\/service\/src\/(?!.*\/test\/)/.test(stack) &&
    !/\/simulator\/src\/|\/rails\/simulated-payer\.ts/.test(stack)
  );
};

export type WorkCounter = Awaited<ReturnType<typeof openWorkCounter>>;

/** Counts the work of the service in this process, with everything else that uses its database. */
export const openWorkCounter = async (database: Database, databaseUrl: string) => {
  const slot = await openSlot(databaseUrl);
  let counted = nothing();
  const stops = [
    countStatements(database, () => counted),
    countCalls(() => counted),
    countSignatures(() => counted),
  ];
  return {
    measure: async (journey: () => Promise<unknown>): Promise<Work> => {
      await slot.changes();
      counted = nothing();
      const ours = counted;
      await journey();
      counted = nothing();
      return { ...ours, ...(await slot.changes()) };
    },
    /** What runs meanwhile is not counted: looks at what time has done. */
    aside: async <Value>(look: () => Promise<Value>): Promise<Value> => {
      const ours = counted;
      counted = nothing();
      try {
        return await look();
      } finally {
        counted = ours;
      }
    },
    close: async () => {
      for (const stop of stops) stop();
      await slot.close();
    },
  };
};

/** Changes the object itself: what already holds the database is counted too. */
const countStatements = (database: Database, counted: () => Counted): (() => void) => {
  const original = { ...database };
  let open = 0;
  const counting = async <Value>(name: string, run: () => Promise<Value>): Promise<Value> => {
    const ours = counted();
    if (byTheClock.test(name)) return run();
    add(ours.statements, name);
    if (open === 0) ours.rounds += 1;
    open += 1;
    try {
      return await run();
    } finally {
      open -= 1;
    }
  };
  const replaced: Partial<Database> = {
    tenant: (merchantId, statement, values, withinMs) =>
      counting(statement.name, () => original.tenant(merchantId, statement, values, withinMs)),
    batched: (tenant, batch, item) =>
      counting(batch.statement.name, () => original.batched(tenant, batch, item)),
    system: (statement, values) =>
      counting(statement.name, () => original.system(statement, values)),
  };
  Object.assign(database, replaced);
  return () => void Object.assign(database, original);
};

const id = /[0-9a-f-]{20,}|(?<=\/)[\w-]*\d[\w-]{6,}/gi;

const countCalls = (counted: () => Counted): (() => void) => {
  const channel = 'undici:request:create';
  const count = (message: unknown): void => {
    if (!isOfService()) return;
    const { request } = message as {
      readonly request: { readonly method: string; readonly path: string; readonly body: unknown };
    };
    const ours = counted();
    add(ours.calls, `${request.method} ${request.path.split('?')[0]?.replaceAll(id, '…')}`);
    const { body } = request;
    if (typeof body === 'string' || Buffer.isBuffer(body)) ours.bytesSent += body.length;
  };
  subscribe(channel, count);
  return () => void unsubscribe(channel, count);
};

const countSignatures = (counted: () => Counted): (() => void) => {
  const subtle = Object.getPrototypeOf(webcrypto.subtle) as Pick<webcrypto.SubtleCrypto, 'sign'>;
  const original = subtle.sign;
  subtle.sign = function (...given) {
    const [algorithm] = given;
    const name = typeof algorithm === 'string' ? algorithm : algorithm.name;
    if (/^(RSA|ECDSA)/.test(name) && isOfService()) counted().signatures += 1;
    return original.apply(this, given);
  };
  return () => {
    subtle.sign = original;
  };
};

/** The database's own record of what was committed, by logical decoding. */
const openSlot = async (databaseUrl: string) => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`select pg_create_logical_replication_slot('budget', 'test_decoding', true)`);
  return {
    changes: async (): Promise<Pick<Work, 'commits' | 'rowsWritten'>> => {
      const { rows } = await client.query<{ xid: string; data: string }>(
        `select xid::text, data from pg_logical_slot_get_changes('budget', null, null)`,
      );
      const written = rows.filter(({ data }) => /^table florin\.(?!request_log)/.test(data));
      return {
        commits: new Set(written.map(({ xid }) => xid)).size,
        rowsWritten: written.length,
      };
    },
    close: () => client.end(),
  };
};
