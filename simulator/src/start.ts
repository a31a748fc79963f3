import { logToStderr } from './log.ts';
import { readSettings } from './settings.ts';
import { openWorld } from './world.ts';

const settings = readSettings(process.env);

let stopWorld: (() => Promise<unknown>) | undefined;
let stopping = false;
const stop = () => {
  if (stopping) return;
  stopping = true;
  if (!stopWorld) process.exit(0);
  void stopWorld().finally(() => process.exit(0));
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
process.on('unhandledRejection', (error) => {
  logToStderr('unhandled rejection', { stack: error instanceof Error ? error.stack : error });
});
// Before the world opens: a parent may be gone before its database answers.
if (settings.exitsWithParent) process.stdin.on('end', stop).on('close', stop).resume();

const world = await openWorld(settings, { now: () => Date.now() }, logToStderr);
stopWorld = world.stop;
const { url, backUrl, cardsUrl, trustFolder } = world;
const ready = { ready: true, url, backUrl, cardsUrl, trustFolder };
process.stdout.write(`${JSON.stringify(ready)}\n`);
