import { readConfig } from '#platform/config.ts';
import { notifyWakes } from '#platform/database/wakes.ts';
import { endTracing } from '#platform/tracing.ts';
import { namingAddress } from './process/explain-failure.ts';
import { runProgram, stopOnSignal } from './process/stop-on-signal.ts';
import { openApi } from './wiring/open-api.ts';
import { openRails } from './wiring/open-rails.ts';
import { openTools } from './wiring/open-tools.ts';

// Two looks of a proxy that looks every two seconds.
const noticeMsDefault = 5_000;

/** The API and the hosted page alone; any number of them may run on one database. */
runProgram(async () => {
  const config = readConfig(process.env);
  if (!config.databaseUrl)
    throw new Error('DATABASE_URL is needed: the address of your PostgreSQL.');
  const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
  const tools = await openTools(config, config.databaseUrl, 'api');
  tools.onWake(notifyWakes(tools));
  const rails = await openRails(tools, publicUrl);
  const noticeMs = config.shutdownNoticeMs ?? noticeMsDefault;
  const api = await openApi(tools, rails, publicUrl, {
    limitsRate: true,
    openSignUp: false,
    noticeMs,
  });
  stopOnSignal(async () => {
    await api.close();
    await rails.close();
    await tools.database.close();
    await endTracing();
  }, noticeMs);
  await namingAddress(api.app.listen({ port: config.port, host: config.host }));
  process.stdout.write(`${JSON.stringify({ ready: true, url: publicUrl })}\n`);
});
