import { failures } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { BankRail } from '#rails/bank-rail.ts';

/** The bank rail of each environment, as the program was configured. */
export type BankRails = {
  readonly find: (environment: Environment) => BankRail | null;
  /** Refuses with the setting that is missing. */
  readonly need: (environment: Environment) => BankRail;
};

export const bankRails = (
  configured: Readonly<Record<Environment, BankRail | null>>,
  settingOf: Readonly<Record<Environment, string>>,
): BankRails => ({
  find: (environment) => configured[environment],
  need: (environment) => {
    const rail = configured[environment];
    if (rail) return rail;
    throw new Failure(failures.railNotConfigured, {
      message: `No bank rail is configured for ${environment.toLowerCase()}: set ${settingOf[environment]}.`,
    });
  },
});
