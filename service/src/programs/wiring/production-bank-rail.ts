import type { Config } from '#platform/config.ts';
import type { Tools } from '#platform/tools.ts';
import {
  type OpenBankingSettings,
  type OpenBankingUk,
  openBankingUk,
  readSettingsFile,
  type SettingsSource,
} from '#rails/open-banking-uk/index.ts';
import { type Reopened, reopenOnChange } from './reopen-on-change.ts';

const lookAgainAfterMs = 5_000;

/**
 * The connector to real banks; none where no file is set. The operator's file and keys are read
 * again on use, so that certificates and keys are renewed without a restart (BANK-16).
 */
export const productionBankRail = (
  tools: Pick<Tools, 'clock' | 'ids' | 'log'>,
  source: SettingsSource | null,
): Pick<Reopened<OpenBankingUk>, 'find' | 'close'> => {
  if (source === null) return { find: () => null, close: async () => undefined };
  const rail = reopenOnChange(
    tools,
    lookAgainAfterMs,
    () => {
      const settings = readSettingsFile(source);
      return { text: textOf(settings), open: () => openBankingUk(settings, tools) };
    },
    (error) => tools.log.error({ error }, 'new settings of the banks cannot be used'),
  );
  // Wrong settings stop the start.
  rail.look();
  return rail;
};

const textOf = (settings: OpenBankingSettings): string =>
  JSON.stringify(settings, (_, value) => (typeof value === 'bigint' ? `${value}` : value));

export const productionBankSetting = 'PRODUCTION_BANK_RAIL';

export const productionSource = (
  { productionBankRail: path }: Pick<Config, 'productionBankRail'>,
  redirectUri: string,
  accountRedirectUri: string,
): SettingsSource | null => {
  if (path === null) return null;
  // A payer who comes back from a bank brings what pays: on this machine alone it may come in plain text.
  if (!/^https:|^http:\/\/(localhost|127\.[\d.]+|\[::1\])[:/]/.test(redirectUri))
    throw new Error(`PUBLIC_URL must be an https address where ${productionBankSetting} is set.`);
  const readVariable = (name: string) => process.env[name];
  return {
    path,
    settingName: productionBankSetting,
    redirectUri,
    accountRedirectUri,
    readVariable,
  };
};
