import type { FastifyInstance } from 'fastify';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Tools } from '#platform/tools.ts';

// A standby and a server without space to write are read-only.
const ping = statement<object, { can_write: boolean }>(
  'health_ping',
  sql()`select current_setting('transaction_read_only') = 'off' as can_write`,
);

type HealthTools = Pick<Tools, 'database'> & {
  /** Of a start that runs the sandbox's banks and card processor too; left out: nothing more is needed. */
  readonly isSandboxReady?: () => boolean;
};

/** Live: the process answers. Ready: its database takes writes and its sandbox takes payments. */
export const healthRoutes = (app: FastifyInstance, tools: HealthTools): void => {
  app.get('/health/live', async () => ({ live: true }));
  app.get('/health', async (_, reply) => {
    const ready = await isReady(tools);
    return reply.code(ready ? 200 : 503).send({ live: true, ready });
  });
  app.get('/health/ready', async (_, reply) => {
    const ready = await isReady(tools);
    return reply.code(ready ? 200 : 503).send({ ready });
  });
};

const isReady = async (tools: HealthTools): Promise<boolean> => {
  if (!(tools.isSandboxReady?.() ?? true)) return false;
  try {
    const [row] = await tools.database.system(ping, {});
    return row?.can_write ?? false;
  } catch {
    return false;
  }
};
