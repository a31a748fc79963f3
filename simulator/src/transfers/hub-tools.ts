import type { Pool } from 'pg';
import type { Clock, Random } from '#simulator/bank/ports.ts';

export type HubTools = {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly random: Random;
};
