import type { FastifyInstance } from 'fastify';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Tools } from '#platform/tools.ts';

const ping = statement<object, { ok: number }>('health_ping', sql()`select 1 as ok`);

/** Live: the process answers. Ready: so does its database. */
export const healthRoutes = (app: FastifyInstance, tools: Pick<Tools, 'database'>): void => {
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

const isReady = async (tools: Pick<Tools, 'database'>): Promise<boolean> => {
  try {
    await tools.database.system(ping, {});
    return true;
  } catch {
    return false;
  }
};
