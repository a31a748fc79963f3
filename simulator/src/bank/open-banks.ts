import { createPublicKey } from 'node:crypto';
import type { Log } from '#simulator/log.ts';
import type { Pool } from '#simulator/store/open-pool.ts';
import type { Credentials } from '#simulator/trust/credentials.ts';
import type { Bank } from './bank.ts';
import type { BankProfile } from './banks.ts';
import { bankProvider } from './oidc/bank-provider.ts';
import type { BankTools } from './ports.ts';
import type { Addresses } from './wire/addresses.ts';
import type { Signer, Verifier } from './wire/sign-message.ts';

type Opening = {
  readonly credentials: Credentials;
  readonly addresses: Addresses;
  readonly redirectUris: readonly string[];
  readonly pool: Pool;
  readonly tools: BankTools;
  readonly log: Log;
};

export const openBanks = async (
  profiles: readonly BankProfile[],
  opening: Opening,
): Promise<ReadonlyMap<string, Bank>> => {
  const verifier = clientVerifier(opening.credentials);
  const opened = profiles.map(
    async (profile): Promise<Bank> => ({
      profile,
      provider: await bankProvider({ ...opening, bank: profile }),
      tools: opening.tools,
      signer: bankSigner(opening.credentials, profile),
      verifier,
    }),
  );
  return new Map((await Promise.all(opened)).map((bank) => [bank.profile.id, bank]));
};

const clientVerifier = ({ identity, clientSigningKey }: Credentials): Verifier => {
  const key = createPublicKey(clientSigningKey.privateKey);
  return {
    keyOf: (kid) => (kid === clientSigningKey.kid ? key : undefined),
    issuer: `${identity.organisationId}/${identity.softwareStatementId}`,
    trustAnchor: identity.trustAnchor,
  };
};

const bankSigner = ({ identity, bankSigningKeys }: Credentials, bank: BankProfile): Signer => {
  const key = bankSigningKeys.get(bank.id);
  if (!key) throw new Error(`${bank.id} has no signing key`);
  return {
    kid: key.kid,
    privateKey: key.privateKey,
    issuer: bank.organisationId,
    trustAnchor: identity.trustAnchor,
  };
};
