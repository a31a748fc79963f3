import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CardRails, cardRails } from '#modules/cards/index.ts';
import { type BankRails, bankRails } from '#modules/payments/index.ts';
import type { Tools } from '#platform/tools.ts';
import {
  type OpenBankingUk,
  openBankingUk,
  readRegistration,
  readSettingsFile,
} from '#rails/open-banking-uk/index.ts';
import type { PayerRail } from '#rails/payer-rail.ts';
import { simulatedPayer } from '#rails/simulated-payer/index.ts';
import { openStripe, readCardRegistration } from '#rails/stripe/index.ts';

export type Rails = {
  readonly bankRails: BankRails;
  readonly cardRails: CardRails;
  readonly payerRail: PayerRail | null;
  readonly close: () => Promise<void>;
};

const productionSetting = 'PRODUCTION_BANK_RAIL';

export const simulatorFolder = (dataFolder: string): string => join(dataFolder, 'simulator');

/** The connectors of each environment, as far as they are configured. Opening one asks no network. */
export const openRails = async (tools: Tools, publicUrl: string): Promise<Rails> => {
  const redirectUri = `${publicUrl}/bank-return`;
  const trustFolder = join(simulatorFolder(tools.config.dataFolder), 'trust');
  const isRegistered = existsSync(join(trustFolder, 'registration.json'));
  const sandbox = isRegistered
    ? openBankingUk(await readRegistration(trustFolder, redirectUri), tools)
    : null;
  const production = await productionBankRail(tools, redirectUri);
  const stripe = openStripe(tools);
  return {
    bankRails: bankRails(
      { SANDBOX: sandbox, PRODUCTION: production },
      { SANDBOX: 'SIMULATOR_URL', PRODUCTION: productionSetting },
    ),
    cardRails: cardRails({
      ...tools,
      railFor: stripe.railFor,
      sharedSandboxAccount: async () =>
        existsSync(join(trustFolder, 'registration.json'))
          ? readCardRegistration(trustFolder)
          : null,
    }),
    payerRail: isRegistered ? simulatedPayer(redirectUri) : null,
    close: async () => {
      await Promise.all([sandbox?.close(), production?.close(), stripe.close()]);
    },
  };
};

const productionBankRail = async (
  tools: Tools,
  redirectUri: string,
): Promise<OpenBankingUk | null> => {
  const path = tools.config.productionBankRail;
  if (path === null) return null;
  return openBankingUk(await readSettingsFile(path, productionSetting, redirectUri), tools);
};
