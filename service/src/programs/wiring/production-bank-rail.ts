import type { Config } from '#platform/config.ts';
import type { Tools } from '#platform/tools.ts';
import {
  type OpenBankingSettings,
  type OpenBankingUk,
  openBankingUk,
  readSettingsFile,
  type SettingsSource,
} from '#rails/open-banking-uk/index.ts';

const lookAgainAfterMs = 5_000;

export type ProductionBankRail = {
  /** Null: no file is set. */
  readonly find: () => OpenBankingUk | null;
  readonly close: () => Promise<void>;
};

/**
 * The connector to real banks. The operator's file and keys are read again on use, so that
 * certificates and keys are renewed without a restart (BANK-16).
 */
export const productionBankRail = (
  tools: Pick<Tools, 'clock' | 'ids' | 'log'>,
  source: SettingsSource | null,
): ProductionBankRail => {
  if (source === null) return { find: () => null, close: async () => undefined };
  const open = (settings: OpenBankingSettings) => ({
    text: textOf(settings),
    rail: openBankingUk(settings, tools),
  });
  let current = open(readSettingsFile(source));
  const opened = [current.rail];
  let lookedAtMs = tools.clock.now().getTime();
  let fault: string | null = null;
  const look = (): void => {
    const settings = readSettingsFile(source);
    if (textOf(settings) === current.text) return;
    current = open(settings);
    // One that is replaced may still be in use: it is closed at the end.
    opened.push(current.rail);
    tools.log.info({ banks: settings.banks.length }, 'the settings of the banks were read again');
  };
  return {
    find: () => {
      const nowMs = tools.clock.now().getTime();
      if (nowMs - lookedAtMs < lookAgainAfterMs) return current.rail;
      lookedAtMs = nowMs;
      try {
        look();
        fault = null;
      } catch (error) {
        const { message } = error as Error;
        if (message !== fault)
          tools.log.error({ error: message }, 'new settings of the banks cannot be used');
        fault = message;
      }
      return current.rail;
    },
    close: async () => {
      await Promise.all(opened.map((rail) => rail.close()));
    },
  };
};

const textOf = (settings: OpenBankingSettings): string =>
  JSON.stringify(settings, (_, value) => (typeof value === 'bigint' ? `${value}` : value));

export const productionBankSetting = 'PRODUCTION_BANK_RAIL';

export const productionSource = (
  { productionBankRail: path }: Pick<Config, 'productionBankRail'>,
  redirectUri: string,
  accountRedirectUri: string,
): SettingsSource | null =>
  path === null
    ? null
    : {
        path,
        settingName: productionBankSetting,
        redirectUri,
        accountRedirectUri,
        readVariable: (name) => process.env[name],
      };
