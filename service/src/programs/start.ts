import { mkdir } from 'node:fs/promises';
import { sharedCardEventsPath } from '#modules/cards/index.ts';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { migrate } from '#platform/database/migrate.ts';
import { openLog } from '#platform/log.ts';
import { type Demo, demoMerchant } from './demo-merchant.ts';
import { openApi } from './open-api.ts';
import { openRails, simulatorFolder } from './open-rails.ts';
import { openTools } from './open-tools.ts';
import { openWorker } from './open-worker.ts';
import { startDatabase } from './start-database.ts';
import { freePort, startSimulator } from './start-simulator.ts';
import { runProgram, stopOnSignal } from './stop-on-signal.ts';
import { welcome } from './welcome.ts';

/** Everything in one program, with the sandbox: `npm start`. */
const start = async (): Promise<void> => {
  const config = readConfig(process.env);
  const log = openLog(config.logLevel, 'start');
  const parts: (() => Promise<unknown>)[] = [];
  stopOnSignal(async () => {
    for (const stop of parts.reverse()) await stop();
  });
  await mkdir(config.dataFolder, { recursive: true, mode: 0o700 });
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const listeningUrl = `http://${urlHost(config.host)}:${port}`;
  const publicUrl = config.publicUrl ?? listeningUrl;

  const given = process.env.SIMULATOR_DATABASE_URL;
  const database = await startDatabase(config, given, { clock: systemClock, log });
  parts.push(database.stop);
  await migrate(database.url);
  const tools = await openTools(config, database.url, 'start');
  parts.push(tools.database.close);
  const simulator = await startSimulator(tools, {
    folder: simulatorFolder(config.dataFolder),
    databaseUrl: database.simulatorUrl,
    redirectUri: `${publicUrl}/bank-return`,
    cardEventsUrl: `${listeningUrl}${sharedCardEventsPath}`,
    host: config.host,
    url: config.simulatorUrl,
  });
  parts.push(simulator.stop);
  const rails = await openRails(tools, publicUrl);
  parts.push(rails.close);
  const worker = openWorker(tools, rails);
  parts.push(worker.stop);
  const api = await openApi(tools, rails, publicUrl);
  parts.push(api.close);
  const demo: Demo | null = await demoMerchant(tools, publicUrl);
  await api.app.listen({ port, host: config.host });
  process.stdout.write(welcome({ publicUrl, simulatorUrl: simulator.url, demo, config }));
};

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

runProgram(start);
