import { access } from 'node:fs/promises';
import { join } from 'node:path';
import {
  limits,
  setSandboxAmountParts,
  setSandboxSwitches,
  setSandboxTips,
} from '@florin/contract';
import { environments, type Tenant } from '#kernel/environment.ts';
import {
  readMerchant,
  setAmountParts,
  setSwitches,
  setTips,
  signingSecret,
} from '#modules/merchants/index.ts';
import { rotateSigningSecret } from '#modules/webhooks/index.ts';
import { type Config, readConfig } from '#platform/config.ts';
import { openDatabase } from '#platform/database/open-database.ts';
import { findRunningPostgres } from '#platform/embedded-postgres/find-running-postgres.ts';
import { compileValidator } from '#platform/http/validation.ts';
import { randomIds } from '#platform/ids.ts';
import { openLog } from '#platform/log.ts';
import { loadOrCreateMasterKey } from '#platform/secrets/load-or-create-master-key.ts';
import { openSecrets } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';
import { runProgram } from './stop-on-signal.ts';

const use = `Use: npm run merchant -- <merchantId> <sandbox|production> <what>

  signing-secret [overlapHours=24]           make the webhook signing secret, or the next one
  switches [refundsEnabled=true …]           show the switches, after changing those that are named
  tips '{"enabled":true,"tipType":"PERCENTAGE","options":[10,15,20],"allowCustom":true}'
  amount-parts taxPercentage=20 servicePercentage=12.5
                                             say what requested amounts include from now on`;

type CommandTools = Uses<'database' | 'ids' | 'secrets'>;
type Command = (tools: CommandTools, tenant: Tenant, words: readonly string[]) => Promise<string>;

const makeSigningSecret: Command = async (tools, tenant, words) => {
  const { overlapHours = limits.webhookSecretOverlapHours } = assignments(words);
  if (!isWhole(overlapHours, limits.webhookSecretOverlapHoursMax)) throw new Error(use);
  const made = await rotateSigningSecret(tools, tenant, overlapHours);
  const whatChanges = made.previousExpiresAt
    ? `The secret before signs X-Service-Signature-Previous until ${made.previousExpiresAt}.`
    : 'The webhooks of this merchant and environment have v2 signatures from now on.';
  return `Signing secret, shown this once:\n\n${made.signingSecret}\n\n${whatChanges}`;
};

const isWhole = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;

const changeSwitches: Command = async (tools, tenant, words) => {
  const changes = assignments(words);
  const known = Object.keys(setSandboxSwitches.reply.properties);
  const unknown = Object.keys(changes).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`There is no switch ${unknown.join(', ')}.\n\n${use}`);
  requireValid(setSandboxSwitches.body, changes);
  return shown(await setSwitches(tools, tenant, changes));
};

const changeTips: Command = async (tools, tenant, [text = '']) => {
  const tips = parsed(text);
  requireValid(setSandboxTips.body, tips);
  return shown(await setTips(tools, tenant, tips as Parameters<typeof setTips>[2]));
};

const changeAmountParts: Command = async (tools, tenant, words) => {
  const parts = assignments(words);
  requireValid(setSandboxAmountParts.body, parts);
  return shown(await setAmountParts(tools, tenant, parts as Parameters<typeof setAmountParts>[2]));
};

const commands: Readonly<Record<string, Command>> = {
  'signing-secret': makeSigningSecret,
  switches: changeSwitches,
  tips: changeTips,
  'amount-parts': changeAmountParts,
};

const shown = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join('\n');

/** `name=value`, the value as JSON. */
const assignments = (words: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    words.map((word) => {
      const [, name, value] = /^(\w+)=(.+)$/.exec(word) ?? [];
      if (!name || !value) throw new Error(use);
      return [name, parsed(value)];
    }),
  );

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(use);
  }
};

const requireValid = (schema: object | undefined, value: unknown): void => {
  const [error] = compileValidator('body', schema ?? {})(value);
  if (error) throw new Error(`${error.message}.`);
};

const openCommandTools = async (config: Config): Promise<CommandTools> => {
  const { dataFolder, databaseUrl } = config;
  const connectionString =
    databaseUrl ?? (await findRunningPostgres(join(dataFolder, 'postgres'), 'florin'));
  if (!connectionString)
    throw new Error(
      `No Florin runs on ${dataFolder}. Start it, or name its folder in FLORIN_DATA ` +
        'or its database in DATABASE_URL.',
    );
  const log = openLog('warn', 'merchant');
  const connections = { tenantConnections: 1, systemConnections: 1 };
  return {
    database: openDatabase(
      { connectionString, ...connections, applicationName: 'florin-merchant' },
      log,
    ),
    ids: randomIds(),
    secrets: openSecrets(config.masterKeys ?? [await existingKey(dataFolder)]),
  };
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

/** What the operator may do for a merchant in production too, until there is a dashboard. */
runProgram(async () => {
  const [merchantId = '', environmentWord = '', what = '', ...words] = process.argv.slice(2);
  const environment = environments.find((known) => known.toLowerCase() === environmentWord);
  const command = Object.hasOwn(commands, what) ? commands[what] : undefined;
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(merchantId) || !environment || !command)
    throw new Error(use);
  const tools = await openCommandTools(readConfig(process.env));
  const tenant = { merchantId, environment };
  try {
    await readMerchant(tools, tenant).catch(() => {
      throw new Error(`No merchant has the id ${merchantId}.`);
    });
    // Another key than the server's would seal what the server can never open.
    await signingSecret(tools, tenant, null);
    process.stdout.write(`${await command(tools, tenant, words)}\n`);
  } finally {
    await tools.database.close();
  }
});
