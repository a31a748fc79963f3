import { startDispatcher } from '../../service/src/modules/webhooks/index.ts';
import { randomIds, systemClock } from '../../service/src/platform/clock.ts';
import { readConfig } from '../../service/src/platform/config.ts';
import { openDatabase } from '../../service/src/platform/database/open-database.ts';
import { listenForWakes } from '../../service/src/platform/database/wakes.ts';
import { openLog } from '../../service/src/platform/log.ts';
import { openSecrets } from '../../service/src/platform/secrets/open-secrets.ts';

// A dispatcher in a process of its own, so that a test can kill it.
const [url = '', masterKey = '', leaseMs = '2000', lookEveryMs = '250'] = process.argv.slice(2);
const log = openLog('silent', 'test-dispatcher');
const database = openDatabase(
  {
    connectionString: url,
    tenantConnections: 1,
    systemConnections: 5,
    applicationName: 'florin-test-dispatcher',
  },
  log,
);
const dispatcher = startDispatcher(
  {
    database,
    clock: systemClock,
    ids: randomIds(),
    secrets: openSecrets([Buffer.from(masterKey, 'base64')]),
    log,
    config: readConfig({}),
  },
  { leaseMs: Number(leaseMs), lookEveryMs: Number(lookEveryMs) },
);
const listening = listenForWakes({
  connectionString: url,
  applicationName: 'florin-test-wakes',
  log,
  onWake: dispatcher.wake,
});
process.once('SIGTERM', async () => {
  await Promise.all([dispatcher.stop(), listening.stop()]);
  await database.close();
  process.exit(0);
});
// A test that fails leaves none behind.
process.once('disconnect', () => process.exit(1));
process.send?.('ready');
