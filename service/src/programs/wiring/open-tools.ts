import { setCollectingAccounts } from '#modules/merchants/index.ts';
import { randomIds, systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { tryConnection } from '#platform/database/database-unavailable.ts';
import { requireCurrentSchema } from '#platform/database/migrate.ts';
import { openDatabase } from '#platform/database/open-database.ts';
import { type Log, openLog } from '#platform/log.ts';
import { loadOrCreateMasterKey } from '#platform/secrets/load-or-create-master-key.ts';
import { openSecrets } from '#platform/secrets/open-secrets.ts';
import { storedPurposeKeys } from '#platform/secrets/stored-purpose-keys.ts';
import type { Tools } from '#platform/tools.ts';
import { startTracing } from '#platform/tracing.ts';
import { namingDatabase } from '../process/explain-failure.ts';
import { replicaReads } from './replica-reads.ts';
import { warnOfClock } from './warn-of-clock.ts';

export type OpenTools = Tools & {
  readonly databaseUrl: string;
  /** Set by the part of the program that delivers; nothing is lost while it is not. */
  readonly onWake: (wake: (endpointIds: readonly string[]) => void) => void;
};

/** The tools of one program: everything that a use case may receive. */
export const openTools = async (
  config: Config,
  databaseUrl: string,
  program: string,
  log: Log = openLog(config.logLevel, program),
): Promise<OpenTools> => {
  log.info({}, 'starting');
  if (config.tracesUrl) await startTracing(config.tracesUrl, program, config.tracesHeaders ?? {});
  await namingDatabase(config, tryConnection(databaseUrl));
  await requireCurrentSchema(databaseUrl);
  const masterKeys = config.masterKeys ?? [await loadOrCreateMasterKey(config.dataFolder)];
  const database = openDatabase(
    {
      connectionString: databaseUrl,
      tenantConnections: config.tenantConnections,
      systemConnections: config.systemConnections,
      applicationName: `florin-${program}`,
      connectMs: config.databaseConnectMs,
      queryMs: config.databaseQueryMs,
      keepAliveMs: config.databaseKeepAliveMs,
      replica: config.databaseReadUrl
        ? { url: config.databaseReadUrl, statements: replicaReads }
        : null,
    },
    log,
  );
  let wake: (endpointIds: readonly string[]) => void = () => undefined;
  const tools = {
    database,
    clock: systemClock,
    ids: randomIds(),
    secrets: await storedPurposeKeys({ database }, openSecrets(masterKeys)),
    log,
    config,
    databaseUrl,
    wakeDispatcher: (endpointIds: readonly string[]) => wake(endpointIds),
    onWake: (listener: typeof wake) => {
      wake = listener;
    },
  };
  await warnOfClock(tools);
  await setCollectingAccounts(tools);
  return tools;
};
