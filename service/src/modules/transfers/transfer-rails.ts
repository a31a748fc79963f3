import { failures } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { TransferRail } from '#rails/transfer-rail.ts';

/** The rail to the bank of the collecting account, for each environment. */
export type TransferRails = {
  readonly find: (environment: Environment) => TransferRail | null;
  /** Refuses with the setting that is missing. */
  readonly need: (environment: Environment) => TransferRail;
};

export const transferRails = (
  find: TransferRails['find'],
  settingOf: Readonly<Record<Environment, string>>,
): TransferRails => ({
  find,
  need: (environment) => {
    const rail = find(environment);
    if (rail) return rail;
    throw new Failure(failures.railNotConfigured, {
      message:
        `No transfer rail is configured for ${environment.toLowerCase()}: ` +
        `set ${settingOf[environment]}.`,
    });
  },
});
