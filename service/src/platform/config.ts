import { type Environment, environments } from '#kernel/environment.ts';
import { knownSettings } from './known-settings.ts';
import { type BankAccountSetting, readSecret, readSetting, type Setting } from './settings.ts';

/** Every setting, read once when a program starts. */
export type Config = {
  readonly [Name in keyof typeof knownSettings]: ReturnType<(typeof knownSettings)[Name]['read']>;
};

export type SettingDescription = Omit<Setting<unknown>, 'read' | 'isSecret'> & {
  readonly isSecret: boolean;
};

export const describeSettings = (): readonly SettingDescription[] =>
  Object.values<Setting<unknown>>(knownSettings).map((known) => ({
    name: known.name,
    meaning: known.meaning,
    default: known.default,
    isSecret: known.isSecret ?? false,
  }));

/** Throws one sentence that names the setting; a value is never repeated, for it may be a secret. */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const config = Object.fromEntries(
    Object.entries<Setting<unknown>>(knownSettings).map(([key, known]) => [
      key,
      readSetting(known, known.isSecret ? readSecret(env, known.name) : env[known.name]),
    ]),
  ) as Config;
  requireDatabaseTls(config);
  if (config.dashboardOrigin && !config.publicUrl)
    throw new Error('DASHBOARD_URL needs PUBLIC_URL, the address of payers and programs.');
  return Object.freeze(config);
};

/** Before anything is sent: a password in the clear could not be taken back. */
const requireDatabaseTls = ({ databaseTls, databaseUrl, databaseReadUrl }: Config): void => {
  if (databaseTls !== 'verified') return;
  for (const [url, { name }] of [
    [databaseUrl, knownSettings.databaseUrl],
    [databaseReadUrl, knownSettings.databaseReadUrl],
  ] as const)
    if (url !== null && !/[?&]sslmode=verify-full(?:&|$)/.test(url))
      throw new Error(`${name} must say sslmode=verify-full, since DATABASE_TLS is verified.`);
};

/** Where people reach the dashboard; null: where they reach this program. */
export const peopleUrl = ({
  dashboardOrigin,
  publicUrl,
}: Pick<Config, 'dashboardOrigin' | 'publicUrl'>): string | null => dashboardOrigin ?? publicUrl;

export const collectingAccountSettings = {
  SANDBOX: knownSettings.sandboxCollectingAccount.name,
  PRODUCTION: knownSettings.productionCollectingAccount.name,
} as const satisfies Record<Environment, string>;

export const collectingAccounts = (config: Config) => {
  const { sandboxCollectingAccount: SANDBOX, productionCollectingAccount: PRODUCTION } = config;
  const accounts: Record<Environment, BankAccountSetting | null> = { SANDBOX, PRODUCTION };
  return environments.flatMap((environment) => {
    const account = accounts[environment];
    return account ? [{ environment, account }] : [];
  });
};
