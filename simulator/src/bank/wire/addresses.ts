import type { StandardVersion } from '../model.ts';

export type Addresses = ReturnType<typeof addressesAt>;

export const addressesAt = (frontUrl: string, backUrl: string) => {
  const issuer = (bankId: string) => `${frontUrl}/banks/${bankId}`;
  const back = (bankId: string) => `${backUrl}/banks/${bankId}`;
  const events = (bankId: string, version: StandardVersion) =>
    `${back(bankId)}/open-banking/v${version}`;
  return {
    ...{ frontUrl, backUrl, issuer, back, events },
    payments: (bankId: string, version: StandardVersion) => `${events(bankId, version)}/pisp`,
    accounts: (bankId: string, version: StandardVersion) => `${events(bankId, version)}/aisp`,
    keys: (bankId: string) => `${issuer(bankId)}/jwks`,
  };
};
