import { readConfig } from '../../service/src/platform/config.ts';
import { openApi } from '../../service/src/programs/wiring/open-api.ts';
import { openRails } from '../../service/src/programs/wiring/open-rails.ts';
import { openTools } from '../../service/src/programs/wiring/open-tools.ts';
import { openWorker } from '../../service/src/programs/wiring/open-worker.ts';
import { openRecordedLog } from './open-recorded-log.ts';
import type { Sandbox } from './open-sandbox.ts';

/** A second cell beside the first, with the same keys and the same simulated banks. */
export const openOtherCell = async (
  { folder, url: publicUrl }: Sandbox,
  databaseUrl: string,
  port: number,
) => {
  const recorded = openRecordedLog();
  const config = readConfig({
    FLORIN_DATA: folder,
    LOG_LEVEL: 'silent',
    ...{ DATABASE_TENANT_CONNECTIONS: '3', DATABASE_SYSTEM_CONNECTIONS: '3' },
  });
  const tools = await openTools(config, databaseUrl, 'test', recorded.log);
  const rails = await openRails(tools, publicUrl);
  const worker = openWorker(tools, rails, publicUrl);
  const api = await openApi(tools, rails, publicUrl);
  await api.app.listen({ port, host: '127.0.0.1' });
  return {
    url: `http://127.0.0.1:${port}`,
    logged: recorded.lines,
    close: async (): Promise<void> => {
      await api.close();
      await worker.stop();
      await rails.close();
      await tools.database.close();
      recorded.close();
    },
  };
};
