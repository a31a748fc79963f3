import { readConfig } from '#platform/config.ts';
import { openHttpServer } from '#platform/http/open-http-server.ts';
import type { Tools } from '#platform/tools.ts';
import { endTracing } from '#platform/tracing.ts';
import { metricsRoute } from './monitoring/metrics-route.ts';
import { runProgram, stopOnSignal } from './process/stop-on-signal.ts';
import { healthRoutes } from './wiring/health-routes.ts';
import { openRails } from './wiring/open-rails.ts';
import { openTools } from './wiring/open-tools.ts';
import { openWorker } from './wiring/open-worker.ts';

/** Jobs and deliveries alone; any number of them may run on one database. */
runProgram(async () => {
  const config = readConfig(process.env);
  if (!config.databaseUrl)
    throw new Error('DATABASE_URL is needed: the address of your PostgreSQL.');
  const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
  const tools = await openTools(config, config.databaseUrl, 'worker');
  const rails = await openRails(tools, publicUrl);
  const worker = openWorker(tools, rails, publicUrl);
  let isLeaving = false;
  const closeMonitor = await openMonitor(tools, () => isLeaving);
  stopOnSignal(async () => {
    isLeaving = true;
    await worker.stop();
    await closeMonitor();
    await rails.close();
    await tools.database.close();
    await endTracing();
  });
  process.stdout.write(`${JSON.stringify({ ready: true })}\n`);
});

/** Health and metrics for the operator. */
const openMonitor = async (
  tools: Tools,
  isLeaving: () => boolean,
): Promise<() => Promise<void>> => {
  const { host, metricsPort } = tools.config;
  if (metricsPort === null) return async () => undefined;
  const app = openHttpServer(tools);
  healthRoutes(app, { ...tools, isLeaving });
  metricsRoute(app, tools);
  await app.listen({ port: metricsPort, host });
  return async () => {
    await app.close();
  };
};
