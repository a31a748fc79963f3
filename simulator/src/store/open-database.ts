import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#simulator/bank/ports.ts';
import { limits } from '#simulator/limits.ts';
import type { Log } from '#simulator/log.ts';
import { migrate } from './migrate.ts';
import { openPool, type Pool } from './open-pool.ts';
import { sweepExpired } from './sweep-expired.ts';

export type Database = {
  readonly pool: Pool;
  // Resolves once the tables exist; waits for a database that is not up yet.
  readonly ready: Promise<void>;
  close(): Promise<void>;
};

export const openDatabase = (databaseUrl: string, clock: Clock, log: Log): Database => {
  const pool = openPool(databaseUrl, log);
  const logFailure = (error: Error) => log('sweeping failed', { reason: error.message });
  const sweep = () => sweepExpired(pool, clock.now()).catch(logFailure);
  const sweeper = setInterval(sweep, limits.sweepIntervalMs).unref();
  return {
    pool,
    ready: migrateWhenThere(pool, log),
    close: async () => {
      clearInterval(sweeper);
      await Promise.race([pool.end(), pause(limits.drainMs)]);
    },
  };
};

const migrateWhenThere = async (pool: Pool, log: Log): Promise<void> => {
  for (;;) {
    try {
      return await migrate(pool);
    } catch (error) {
      log('waiting for the database', { reason: (error as Error).message });
      await pause(limits.startRetryMs);
    }
  }
};
