import { limits } from '#simulator/limits.ts';
import type { Pool } from './open-pool.ts';

// An idempotency key counts until it is swept, at the latest a minute after its 24 hours.
export const sweepExpired = async (pool: Pool, now: number): Promise<void> => {
  await pool.query('delete from simulator.oidc_record where expires_at < now()');
  await pool.query('delete from simulator.idempotency_key where created_at < $1', [
    new Date(now - limits.idempotencyKeyMs),
  ]);
  await pool.query('delete from simulator.fault where remaining = 0');
};
