import { access } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Tenant } from '#kernel/environment.ts';
import { type Act, audited } from '#modules/audit/index.ts';
import { readMerchant, signingSecret } from '#modules/merchants/index.ts';
import { randomIds, systemClock } from '#platform/clock.ts';
import { type CommandProcess, type CommandTools, Misuse } from '#platform/command.ts';
import { readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database/open-database.ts';
import { findRunningPostgres } from '#platform/embedded-postgres/start-embedded-postgres.ts';
import { openLog } from '#platform/log.ts';
import { loadOrCreateMasterKey } from '#platform/secrets/load-or-create-master-key.ts';
import { openSecrets } from '#platform/secrets/open-secrets.ts';
import { recordedWords } from './recorded-words.ts';

export type Command = {
  /** As it is recorded: `merchant switches`. */
  readonly action: string;
  /** Null: it is about the whole installation. */
  readonly tenant: Tenant | null;
  readonly words: readonly string[];
};

/**
 * Beside a running start or on the operator's database, with the server's own key and never a new one.
 * Who ran which command stands in the audit records.
 */
export const runCommand = async (
  process: CommandProcess,
  { action, tenant, words }: Command,
  run: (tools: CommandTools) => Promise<string>,
): Promise<void> => {
  await withCommandTools(process, action.split(' ')[0] ?? action, async (tools) => {
    const act: Act = {
      ...{ channel: 'COMMAND', actorKind: 'OPERATOR', actorId: null, actor: tools.actor },
      address: hostname(),
      action,
      merchantId: tenant?.merchantId ?? null,
      environment: tenant?.environment ?? null,
      detail: words.length === 0 ? {} : { words: recordedWords(words) },
    };
    await audited(tools, act, async () => {
      if (tenant) await requireServersKey(tools, tenant);
      await tools.write(`${await run(tools)}\n`);
    });
  });
};

/** How it is used, after what is wrong where that is known. */
export const explaining =
  (text: string) =>
  (error: unknown): never => {
    if (!(error instanceof Misuse)) throw error;
    throw new Error(error.message === '' ? text : `${error.message}\n\n${text}`);
  };

/** For what only reads: it leaves no record. */
export const withCommandTools = async (
  process: CommandProcess,
  name: string,
  run: (tools: CommandTools) => Promise<void>,
): Promise<void> => {
  const tools = await openCommandTools(process, name);
  try {
    await run(tools);
  } finally {
    await tools.database.close();
  }
};

/** Another key than the server's would encrypt what the server can never decrypt. */
const requireServersKey = async (tools: CommandTools, tenant: Tenant): Promise<void> => {
  await readMerchant(tools, tenant).catch(() => {
    throw new Error(`No merchant has the id ${tenant.merchantId}.`);
  });
  await signingSecret(tools, tenant, null);
};

const openCommandTools = async (process: CommandProcess, name: string): Promise<CommandTools> => {
  const config = readConfig(process.settings);
  const { dataFolder, databaseUrl } = config;
  const connectionString =
    databaseUrl ?? (await findRunningPostgres(join(dataFolder, 'postgres'), 'florin'));
  if (!connectionString)
    throw new Error(
      `No Florin runs on ${dataFolder}. Start it, or name its folder in FLORIN_DATA ` +
        'or its database in DATABASE_URL.',
    );
  const log = openLog('warn', name, { write: process.writeError });
  const secrets = openSecrets(config.masterKeys ?? [await existingKey(dataFolder)]);
  const connections = { tenantConnections: 1, systemConnections: 1 };
  const applicationName = `florin-${name}`;
  const database = openDatabase({ connectionString, ...connections, applicationName }, log);
  // Who typed the command, also through sudo.
  const actor = process.settings.SUDO_USER ?? userName();
  const own = { database, ids: randomIds(), secrets, clock: systemClock, log };
  // What a command makes due is found by a running server at its next look.
  return { ...process, ...own, config, actor, wakeDispatcher: () => undefined };
};

/** A container may have a user without a name. */
const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
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
