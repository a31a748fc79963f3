import { logToStderr } from './log.ts';
import { openSimulator } from './open-simulator.ts';
import { readSettings } from './settings.ts';
import { systemClock } from './system-clock.ts';

const settings = readSettings(process.env);

let stopSimulator: (() => Promise<unknown>) | undefined;
let stopping = false;
const stop = () => {
  if (stopping) return;
  stopping = true;
  if (!stopSimulator) process.exit(0);
  void stopSimulator().finally(() => process.exit(0));
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('unhandledRejection', (error) => {
  logToStderr('unhandled rejection', { stack: error instanceof Error ? error.stack : error });
});
// Before the simulator opens: a parent may end before the database answers.
if (settings.exitsWithParent) process.stdin.on('end', stop).on('close', stop).resume();

const simulator = await openSimulator(settings, systemClock, logToStderr);
stopSimulator = simulator.stop;
const { url, backUrl, cardsUrl, trustFolder } = simulator;
const ready = { ready: true, url, backUrl, cardsUrl, trustFolder };
process.stdout.write(`${JSON.stringify(ready)}\n`);
