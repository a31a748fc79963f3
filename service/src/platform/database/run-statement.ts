import type pg from 'pg';
import { isConnectionError, toUnavailable } from './database-unavailable.ts';
import type { Database } from './open-database.ts';
import { type Position, reaches } from './read-replica.ts';
import type { Statement, TenantQuery } from './statement.ts';

/** A connection, in the time that is left. */
export type Connect = (leftMs: () => number) => Promise<pg.PoolClient>;

// Waiting for a connection is part of it: a frozen server costs a request no more than this.
const deadlineIn = (withinMs: number) => {
  const endsAtMs = performance.now() + withinMs;
  return { leftMs: () => Math.max(1, Math.round(endsAtMs - performance.now())) };
};

export const systemQuery =
  (connect: Connect, queryMs: number): Database['system'] =>
  async (statement, values) => {
    const { leftMs } = deadlineIn(queryMs);
    let client: pg.PoolClient | undefined;
    let broken: Error | undefined;
    try {
      client = await connect(leftMs);
      const query = { ...preparedQuery(statement, values), query_timeout: leftMs() };
      return (await client.query(query)).rows;
    } catch (error) {
      if (isConnectionError(error)) broken = error as Error;
      throw toUnavailable(error);
    } finally {
      client?.release(broken);
    }
  };

/** Null: the connection leads to a server that is not ready for it. */
const scopedQuery = (connect: Connect, queryMs: number) => {
  const scopeOf = new WeakMap<pg.PoolClient, string>();
  // Sent ahead in the same round trip: set inside the statement, the scope would match no row.
  const enterScope = (client: pg.PoolClient, merchantId: string) =>
    scopeOf.get(client) === merchantId ? undefined : client.query(scopeQuery(merchantId));
  return async <Values, Row>(
    isReady: (client: pg.PoolClient) => Promise<boolean>,
    merchantId: string,
    statement: Statement<Values, Row>,
    values: Values,
    withinMs = queryMs,
  ): Promise<Row[] | null> => {
    const { leftMs } = deadlineIn(withinMs);
    let client: pg.PoolClient | undefined;
    let broken: Error | undefined;
    try {
      client = await connect(leftMs);
      if (!(await isReady(client))) return null;
      const scoped = enterScope(client, merchantId);
      const query = { ...preparedQuery(statement, values), query_timeout: leftMs() };
      const [result] = await Promise.all([runOf(statement)(client, query), scoped]);
      scopeOf.set(client, merchantId);
      return result.rows;
    } catch (error) {
      if (client) scopeOf.delete(client);
      if (isConnectionError(error)) broken = error as Error;
      throw toUnavailable(error);
    } finally {
      client?.release(broken);
    }
  };
};

export const tenantQuery = (connect: Connect, queryMs: number): TenantQuery => {
  const query = scopedQuery(connect, queryMs);
  return async (...asked) => (await query(always, ...asked)) ?? [];
};

const always = async (): Promise<boolean> => true;

export type ReplicaQuery = <Values, Row>(
  reached: Position,
  ...asked: Asked<Values, Row>
) => Promise<Row[] | null>;

export type Asked<Values, Row> = readonly [
  merchantId: string,
  statement: Statement<Values, Row>,
  values: Values,
  withinMs?: number,
];

export const replicaQuery = (connect: Connect, queryMs: number): ReplicaQuery => {
  const query = scopedQuery(connect, queryMs);
  return (reached, ...asked) => query(reaches(reached), ...asked);
};

const runOf = ({ isPlannedPerCall }: Pick<Statement<never, never>, 'isPlannedPerCall'>) =>
  isPlannedPerCall ? queryPlannedForValues : queryOnce;

const queryOnce = (client: pg.PoolClient, query: pg.QueryConfig) => client.query(query);

export const onePlan = 'force_generic_plan';
const planForValues = 'force_custom_plan';

/**
 * Under `onePlan` a statement without a name is planned for all values, too: the mode is set ahead of it
 * and back behind it, in the same round trip.
 */
const queryPlannedForValues = async (client: pg.PoolClient, query: pg.QueryConfig) => {
  const [, result] = await Promise.all([
    client.query(planModeQuery(planForValues)),
    client.query(query),
    client.query(planModeQuery(onePlan)),
  ]);
  return result;
};

const planModeQuery = (mode: string) => ({
  name: 'plan_mode',
  text: "select set_config('plan_cache_mode', $1, false)",
  values: [mode],
});

const scopeQuery = (merchantId: string) => ({
  name: 'scope',
  text: "select set_config('florin.merchants', $1, false)",
  values: [`{${merchantId}}`],
});

const preparedQuery = <Values, Row>(statement: Statement<Values, Row>, values: Values) => ({
  ...(statement.isPlannedPerCall ? {} : { name: statement.name }),
  text: statement.text,
  values: statement.valueNames.map((valueName) => values[valueName] ?? null),
});
