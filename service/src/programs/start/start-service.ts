import type { Config } from '#platform/config.ts';
import { migrate } from '#platform/database/migrate.ts';
import type { Log } from '#platform/log.ts';
import { endTracing } from '#platform/tracing.ts';
import { namingAddress } from '../process/explain-failure.ts';
import { openApi } from '../wiring/open-api.ts';
import { openRails } from '../wiring/open-rails.ts';
import { openTools } from '../wiring/open-tools.ts';
import { openWorker } from '../wiring/open-worker.ts';
import { type Demo, demoMerchant } from './demo-merchant.ts';

export type Served = {
  readonly log: Log;
  readonly port: number;
  readonly publicUrl: string;
  readonly isSimulatorRunning: () => boolean;
};

/** API, pages and jobs on a database. `opened` collects what has to be stopped. */
export const startService = async (
  config: Config,
  databaseUrl: string,
  { log, port, publicUrl, isSimulatorRunning }: Served,
  opened: (stop: () => Promise<unknown>) => void,
): Promise<Demo | null> => {
  await migrate(databaseUrl);
  const tools = await openTools(config, databaseUrl, 'start', log);
  opened(endTracing);
  opened(tools.database.close);
  const rails = await openRails(tools, publicUrl);
  opened(rails.close);
  const worker = openWorker(tools, rails, publicUrl);
  opened(worker.stop);
  const isSandboxReady = () => isSimulatorRunning() && rails.isSandboxOpen();
  let demo: Demo | null = null;
  const demoSecret = () => demo?.sandboxSecret ?? null;
  const noticeMs = config.shutdownNoticeMs ?? 0;
  const api = await openApi(tools, rails, publicUrl, { isSandboxReady, demoSecret, noticeMs });
  opened(api.close);
  demo = await demoMerchant(tools, publicUrl);
  await namingAddress(api.app.listen({ port, host: config.host }));
  return demo;
};
