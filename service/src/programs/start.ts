import { systemClock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config.ts';
import { sharedCardEventsPath } from '#rails/card-rail.ts';
import { sandboxNoticesPath } from '#rails/transfer-rail.ts';
import { prepareDashboard } from './dashboard/prepare-dashboard.ts';
import { namingAddress } from './process/explain-failure.ts';
import { makeDataFolder } from './process/make-data-folder.ts';
import { runProgram, stopOnSignal } from './process/stop-on-signal.ts';
import { findFreePort, listenOnce } from './start/find-free-port.ts';
import { launchSimulator } from './start/launch-simulator.ts';
import { openStartLog } from './start/open-start-log.ts';
import { startDatabase } from './start/start-database.ts';
import { welcome } from './start/welcome.ts';
import { bankReturnAddresses } from './wiring/bank-return-addresses.ts';
import { simulatorFolder } from './wiring/simulator-folder.ts';

/**
 * Everything in one program, with the sandbox: `npm start`. Reading the service takes long, so the database
 * and the simulator start meanwhile. The dashboard is built when all else is ready, or when it is opened.
 */
const start = async (): Promise<void> => {
  const config = readConfig(process.env);
  const parts: (() => Promise<unknown>)[] = [];
  stopOnSignal(async () => {
    for (const stop of parts.reverse()) await stop();
  });
  await makeDataFolder(config);
  const tools = { clock: systemClock, log: openStartLog(config) };
  const port = await findPort(config);
  const listeningUrl = `http://${urlHost(config.host)}:${port}`;
  const publicUrl = config.publicUrl ?? listeningUrl;

  const reading = import('./start/start-service.ts');
  const database = await startDatabase(config, tools);
  parts.push(database.stop);
  const simulator = launchSimulator(tools, {
    folder: simulatorFolder(config.dataFolder),
    databaseUrl: database.simulatorUrl,
    redirectUris: bankReturnAddresses(publicUrl),
    cardEventsUrl: `${listeningUrl}${sharedCardEventsPath}`,
    bankNoticesUrl: `${listeningUrl}${sandboxNoticesPath}`,
    host: config.host,
    url: config.simulatorUrl,
  });
  parts.push(simulator.stop);
  const { startService } = await reading;
  const [demo, simulatorUrl] = await Promise.all([
    startService(
      config,
      database.url,
      { ...tools, port, publicUrl, isSimulatorRunning: simulator.isRunning },
      (stop) => parts.push(stop),
    ),
    simulator.ready,
  ]);
  process.stdout.write(welcome({ publicUrl, simulatorUrl, demo, config }));
  void prepareDashboard(tools.log);
};

/** Checked before anything is started, so that a taken port is reported at once. */
const findPort = ({ port, host }: Config): Promise<number> =>
  namingAddress(port === 0 ? findFreePort(host) : listenOnce(host, port));

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

runProgram(start);
