import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { build } from '#platform/build.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Tools } from '#platform/tools.ts';

// A standby refuses it, and so does a server without space, which answers reads for a long time and writes
// what finds room in its files.
const probe = statement<object, { readonly probe_id: number }>(
  'health_probe',
  sql()`update health_probe set written_at = now()
   where probe_id = 1 and probe_space() > 0 returning probe_id`,
  { guardedBy: 'one row that says nothing but that it can be written' },
);

const probeWithinMs = 3_000;

type HealthTools = Pick<Tools, 'database'> & {
  /** Of a start that runs the sandbox's banks and card processor too; left out: nothing more is needed. */
  readonly isSandboxReady?: () => boolean;
  /** The program goes: proxies send it nothing new. Left out: it stays. */
  readonly isLeaving?: () => boolean;
};

/**
 * Live: the process answers, and says what it is. Ready: it stays, its database takes writes and its sandbox
 * takes payments.
 */
export const healthRoutes = (
  app: FastifyInstance,
  tools: HealthTools,
): (() => Promise<boolean>) => {
  const takesWrites = openProbe(tools);
  const isReady = async (): Promise<boolean> =>
    !tools.isLeaving?.() && (tools.isSandboxReady?.() ?? true) && (await takesWrites());
  app.get('/health/live', async () => ({ live: true, ...build }));
  app.get('/health', async (_, reply) => {
    const ready = await isReady();
    return reply.code(ready ? 200 : 503).send({ live: true, ready });
  });
  app.get('/health/ready', async (_, reply) => {
    const ready = await isReady();
    return reply.code(ready ? 200 : 503).send({ ready });
  });
  return isReady;
};

/** Whether the database takes writes, in three seconds at most. */
export const openProbe = ({ database }: Pick<Tools, 'database'>): (() => Promise<boolean>) => {
  let running: Promise<boolean> | null = null;
  // Anyone may call, and each probe writes half a megabyte: who comes meanwhile waits for the same one.
  return () => {
    running ??= probeOnce(database).finally(() => {
      running = null;
    });
    return running;
  };
};

const probeOnce = async (database: Tools['database']): Promise<boolean> => {
  try {
    const written = database.system(probe, {}).then((rows) => rows.length === 1);
    written.catch(() => undefined);
    return await Promise.race([written, sleep(probeWithinMs, false, { ref: false })]);
  } catch {
    return false;
  }
};
