import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BankDataRails, bankDataRails } from '#modules/bank-feed/index.ts';
import { type CardRails, cardRails } from '#modules/cards/index.ts';
import { type BankRails, bankRails } from '#modules/payments/index.ts';
import { ownFolder, type TransferRails, transferRails } from '#modules/transfers/index.ts';
import type { Tools } from '#platform/tools.ts';
import { openIso20022, standardTemplate, transferSettings } from '#rails/iso20022/index.ts';
import { openBankingUk, readRegistration } from '#rails/open-banking-uk/index.ts';
import type { PayerRail } from '#rails/payer-rail.ts';
import { simulatedPayer } from '#rails/simulated-payer.ts';
import { simulatorControl } from '#rails/simulator-control.ts';
import type { SimulatorRail } from '#rails/simulator-rail.ts';
import { staticBankData } from '#rails/static-bank-data.ts';
import { openStripe, readCardRegistration } from '#rails/stripe/index.ts';
import { bankReturnAddresses } from './bank-return-addresses.ts';
import {
  productionBankRail,
  productionBankSetting,
  productionSource,
} from './production-bank-rail.ts';
import { reopenOnRegistration } from './reopen-on-change.ts';
import { simulatorFolder } from './simulator-folder.ts';

export type Rails = {
  readonly bankRails: BankRails;
  readonly bankDataRails: BankDataRails;
  readonly cardRails: CardRails;
  readonly transferRails: TransferRails;
  readonly payerRail: PayerRail | null;
  readonly simulatorRail: SimulatorRail;
  /** The simulator has registered us, so that its banks and its card processor can be reached. */
  readonly isSandboxOpen: () => boolean;
  readonly close: () => Promise<void>;
};

export const simulatorSetting = 'SIMULATOR_TRUST_FOLDER';

/** The connectors of each environment, if configured. Opening one uses no network. */
export const openRails = async (tools: Tools, publicUrl: string): Promise<Rails> => {
  const returnAddresses = bankReturnAddresses(publicUrl);
  const [redirectUri, accountRedirectUri] = returnAddresses;
  const trustFolder =
    tools.config.simulatorTrustFolder ?? join(simulatorFolder(tools.config.dataFolder), 'trust');
  const sandbox = reopenOnRegistration(tools, trustFolder, () =>
    openBankingUk(readRegistration(trustFolder, redirectUri, accountRedirectUri), tools),
  );
  const production = productionBankRail(
    tools,
    productionSource(tools.config, redirectUri, accountRedirectUri),
  );
  const stripe = openStripe(tools);
  const staticBank = staticBankData(tools.clock, `${publicUrl}/link-bank/test-bank`);
  const sandboxTransfers = reopenOnRegistration(tools, trustFolder, (text) => {
    const settings = transferSettings(text, tools.config.sandboxCollectingAccount);
    return settings && openIso20022(settings, tools);
  });
  const productionTransfers = openProductionTransfers(tools);
  return {
    bankRails: bankRails(
      {
        get SANDBOX() {
          return sandbox.find();
        },
        get PRODUCTION() {
          return production.find();
        },
      },
      { SANDBOX: simulatorSetting, PRODUCTION: productionBankSetting },
    ),
    bankDataRails: bankDataRails(
      {
        SANDBOX: () => {
          const simulated = sandbox.find();
          return simulated ? [staticBank, simulated.bankData] : [staticBank];
        },
        PRODUCTION: () => {
          const rail = production.find();
          return rail ? [rail.bankData] : [];
        },
      },
      { SANDBOX: simulatorSetting, PRODUCTION: productionBankSetting },
    ),
    cardRails: cardRails({
      ...tools,
      railFor: stripe.railFor,
      sharedSandboxAccount: async () =>
        existsSync(join(trustFolder, 'registration.json'))
          ? readCardRegistration(trustFolder)
          : null,
    }),
    transferRails: transferRails(
      (environment) => (environment === 'SANDBOX' ? sandboxTransfers.find() : productionTransfers),
      { SANDBOX: simulatorSetting, PRODUCTION: 'PRODUCTION_TRANSFER_FOLDER' },
    ),
    payerRail: simulatedPayer(returnAddresses),
    simulatorRail: simulatorControl(trustFolder),
    isSandboxOpen: () => sandbox.find() !== null,
    close: async () => {
      const opened = [sandbox, production, stripe, sandboxTransfers, productionTransfers];
      await Promise.all(opened.map((each) => each?.close()));
    },
  };
};

/** A folder of files. */
const openProductionTransfers = (tools: Tools) => {
  const root = tools.config.productionTransferFolder;
  if (root === null) return null;
  const own = ownFolder(tools, 'PRODUCTION');
  const channel = { kind: 'FOLDER', root, own } as const;
  return openIso20022({ template: standardTemplate, channel }, tools);
};
