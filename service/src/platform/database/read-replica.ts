import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../log.ts';
import { metrics } from '../metrics.ts';
import type { Asked, ReplicaQuery } from './run-statement.ts';
import { sql } from './sql.ts';
import { statement, type TenantQuery } from './statement.ts';

/**
 * Up to where the log of the primary is written, and in which epoch: a replica that was left behind by a
 * promotion may have come further on a way of its own.
 */
export type Position = { readonly position: string; readonly epoch: number };

export const readPosition = statement<object, Position>(
  'replica_position',
  sql()`select pg_current_wal_flush_lsn()::text as position, newest_epoch() as epoch`,
);

const hasReached = {
  name: 'replica_has_reached',
  // A replica that was promoted meanwhile knows all that it wrote.
  text: `select coalesce(newest_epoch() = $2 and $1::pg_lsn <=
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end,
    false) as has_reached`,
};

const lookEveryMs = 5;
const waitMs = 100;
/** Where the replica is late or gone, the primary answers at once for so long. */
const restMs = 1_000;

/** On the connection that reads afterwards: another one may lead to another replica. */
export const reaches =
  ({ position, epoch }: Position) =>
  async (client: pg.PoolClient): Promise<boolean> => {
    const endsAtMs = performance.now() + waitMs;
    for (;;) {
      const { rows } = await client.query({ ...hasReached, values: [position, epoch] });
      if (rows[0].has_reached) return true;
      if (performance.now() > endsAtMs) return false;
      await sleep(lookEveryMs);
    }
  };

type Sides = {
  readonly primary: TenantQuery;
  /** Null: it has not come as far. */
  readonly replica: ReplicaQuery;
  readonly position: () => Promise<Position>;
  /** By their names. */
  readonly statements: ReadonlySet<string>;
  readonly queryMs: number;
};

/**
 * The replica answers with all that was committed before the question, by whichever program, or not at all:
 * the primary is asked how far it is, which costs it far less than the answer.
 */
export const replicaFirst = (
  { primary, replica, position, statements, queryMs }: Sides,
  log: Log,
): TenantQuery => {
  let restsUntilMs = 0;
  const fromReplica = async <Values, Row>(...asked: Asked<Values, Row>): Promise<Row[] | null> => {
    try {
      const rows = await replica(await position(), ...asked);
      if (rows) return rows;
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'the read replica gave no answer');
    }
    restsUntilMs = performance.now() + restMs;
    return null;
  };
  return async (merchantId, statement, values, withinMs = queryMs) => {
    const startedAtMs = performance.now();
    const mayAnswer = statements.has(statement.name) && startedAtMs >= restsUntilMs;
    // What is left must do for the primary.
    const half = Math.floor(withinMs / 2);
    const rows = mayAnswer ? await fromReplica(merchantId, statement, values, half) : null;
    if (rows) {
      metrics.add('florin_replica_reads_total');
      return rows;
    }
    const leftMs = Math.ceil(withinMs - (performance.now() - startedAtMs));
    return primary(merchantId, statement, values, leftMs);
  };
};
