import type { StandardVersion } from '../accounts/model.ts';

export type Addresses = {
  readonly frontUrl: string;
  readonly backUrl: string;
  issuer(bankId: string): string;
  back(bankId: string): string;
  payments(bankId: string, version: StandardVersion): string;
  accounts(bankId: string, version: StandardVersion): string;
  events(bankId: string, version: StandardVersion): string;
  keys(bankId: string): string;
};

export const addressesAt = (frontUrl: string, backUrl: string): Addresses => ({
  frontUrl,
  backUrl,
  issuer: (bankId) => `${frontUrl}/banks/${bankId}`,
  back: (bankId) => `${backUrl}/banks/${bankId}`,
  payments: (bankId, version) => `${backUrl}/banks/${bankId}/open-banking/v${version}/pisp`,
  accounts: (bankId, version) => `${backUrl}/banks/${bankId}/open-banking/v${version}/aisp`,
  events: (bankId, version) => `${backUrl}/banks/${bankId}/open-banking/v${version}`,
  keys: (bankId) => `${frontUrl}/banks/${bankId}/jwks`,
});
