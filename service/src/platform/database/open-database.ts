import pg from 'pg';
import type { Log } from '../log.ts';
import type { Statement } from './statement.ts';

/** `tenant` sees one merchant's rows only (row-level security); `system` is for claims and proofs. */
export type Database = {
  readonly tenant: <Values, Row>(
    merchantId: string,
    asked: Statement<Values, Row>,
    values: Values,
  ) => Promise<Row[]>;
  readonly system: <Values, Row>(asked: Statement<Values, Row>, values: Values) => Promise<Row[]>;
  /** Calls back with each notification on the channel, on a connection that mends itself. */
  readonly close: () => Promise<void>;
};

export type DatabaseSettings = {
  readonly connectionString: string;
  readonly tenantConnections: number;
  readonly systemConnections: number;
  readonly applicationName: string;
};

// Timestamps come back as Date, bigint as bigint: a count or an amount never loses a digit.
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === 20 ? (BigInt as never) : pg.types.getTypeParser(oid, format as 'text'),
};

const connectTimeoutMs = 5_000;
const statementTimeoutMs = 10_000;

const sessionOptions = (role: string) =>
  [
    `role=${role}`,
    'search_path=florin',
    'timezone=UTC',
    `statement_timeout=${statementTimeoutMs}`,
    'lock_timeout=5000',
    'idle_in_transaction_session_timeout=10000',
  ]
    .map((setting) => `-c ${setting}`)
    .join(' ');

export const openDatabase = (settings: DatabaseSettings, log: Log): Database => {
  const open = (role: string, max: number, pipeline: boolean) => {
    const pool = new pg.Pool({
      connectionString: settings.connectionString,
      application_name: settings.applicationName,
      options: sessionOptions(role),
      connectionTimeoutMillis: connectTimeoutMs,
      max,
      types,
      pipeline,
    } as pg.PoolConfig);
    pool.on('error', (error) => log.warn({ error: error.message }, 'database connection lost'));
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  };
  const tenantPool = open('florin_tenant', settings.tenantConnections, true);
  const systemPool = open('florin_system', settings.systemConnections, false);
  const seenBy = new WeakMap<pg.PoolClient, string>();

  return {
    tenant: async (merchantId, asked, values) => {
      const client = await tenantPool.connect();
      let broken: Error | undefined;
      try {
        // Sent ahead in the same flight: made inside the statement it would match no row.
        const scoped =
          seenBy.get(client) === merchantId ? undefined : client.query(scopeQuery(merchantId));
        const [result] = await Promise.all([client.query(preparedQuery(asked, values)), scoped]);
        seenBy.set(client, merchantId);
        return result.rows;
      } catch (error) {
        seenBy.delete(client);
        broken = isConnectionError(error) ? (error as Error) : undefined;
        throw error;
      } finally {
        client.release(broken);
      }
    },
    system: async (asked, values) => {
      const result = await systemPool.query(preparedQuery(asked, values));
      return result.rows;
    },
    close: async () => {
      await Promise.all([tenantPool.end(), systemPool.end()]);
    },
  };
};

const scopeQuery = (merchantId: string) => ({
  name: 'scope',
  text: "select set_config('florin.merchants', $1, false)",
  values: [`{${merchantId}}`],
});

const preparedQuery = <Values, Row>(asked: Statement<Values, Row>, values: Values) => ({
  name: asked.name,
  text: asked.text,
  values: asked.valueNames.map((valueName) => values[valueName] ?? null),
});

/** SQLSTATE is five characters; socket errors carry another code, and 57/08 mean the server left. */
export const isConnectionError = (error: unknown): boolean => {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || code.length !== 5) return true;
  return code.startsWith('57P') || code.startsWith('08') || code === '53300';
};

/** True where a unique key (of this name, if given) refused the row. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean => {
  const refused = error as { code?: string; constraint?: string };
  return refused.code === '23505' && (!constraint || refused.constraint === constraint);
};
