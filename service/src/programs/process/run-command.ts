import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { environments, type Tenant } from '#kernel/environment.ts';
import { readMerchant, signingSecret } from '#modules/merchants/index.ts';
import { systemClock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database/open-database.ts';
import { findRunningPostgres } from '#platform/embedded-postgres/find-running-postgres.ts';
import { randomIds } from '#platform/ids.ts';
import { openLog } from '#platform/log.ts';
import { loadOrCreateMasterKey } from '#platform/secrets/load-or-create-master-key.ts';
import { openSecrets } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';

export type CommandTools = Uses<'database' | 'ids' | 'secrets' | 'clock' | 'log'> & {
  readonly config: Config;
};

/** Beside a running start or on the operator's database, with the server's own key and never a new one. */
export const runCommand = async (
  name: string,
  tenant: Tenant,
  run: (tools: CommandTools) => Promise<void>,
): Promise<void> => {
  const tools = await openCommandTools(readConfig(process.env), name);
  try {
    await readMerchant(tools, tenant).catch(() => {
      throw new Error(`No merchant has the id ${tenant.merchantId}.`);
    });
    // Another key than the server's would seal what the server can never open.
    await signingSecret(tools, tenant, null);
    await run(tools);
  } finally {
    await tools.database.close();
  }
};

/** As an operator writes them: `<merchantId> <sandbox|production>`. */
export const namedTenant = (merchantId: string, environmentWord: string): Tenant | null => {
  const environment = environments.find((known) => known.toLowerCase() === environmentWord);
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(merchantId);
  return isId && environment ? { merchantId, environment } : null;
};

/** For the whole installation: no merchant is named. */
export const runOperatorCommand = async (
  name: string,
  run: (tools: CommandTools) => Promise<void>,
): Promise<void> => {
  const tools = await openCommandTools(readConfig(process.env), name);
  try {
    await run(tools);
  } finally {
    await tools.database.close();
  }
};

const openCommandTools = async (config: Config, name: string): Promise<CommandTools> => {
  const { dataFolder, databaseUrl } = config;
  const connectionString =
    databaseUrl ?? (await findRunningPostgres(join(dataFolder, 'postgres'), 'florin'));
  if (!connectionString)
    throw new Error(
      `No Florin runs on ${dataFolder}. Start it, or name its folder in FLORIN_DATA ` +
        'or its database in DATABASE_URL.',
    );
  const log = openLog('warn', name);
  const secrets = openSecrets(config.masterKeys ?? [await existingKey(dataFolder)]);
  const connections = { tenantConnections: 1, systemConnections: 1 };
  const applicationName = `florin-${name}`;
  const database = openDatabase({ connectionString, ...connections, applicationName }, log);
  return { database, ids: randomIds(), secrets, clock: systemClock, log, config };
};

const existingKey = async (dataFolder: string): Promise<Buffer> => {
  await access(join(dataFolder, 'master-key')).catch(() => {
    throw new Error(
      `There is no master key in ${dataFolder}: name the server's in FLORIN_MASTER_KEY ` +
        'or its folder in FLORIN_DATA.',
    );
  });
  return loadOrCreateMasterKey(dataFolder);
};
