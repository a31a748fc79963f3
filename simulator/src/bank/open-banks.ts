import { createPublicKey } from 'node:crypto';
import type { Log } from '#simulator/log.ts';
import type { Credentials } from '#simulator/trust/credentials.ts';
import type { Bank, BankTools } from './bank.ts';
import type { BankProfile } from './banks.ts';
import { bankProvider } from './oidc/bank-provider.ts';
import type { Addresses } from './wire/addresses.ts';

type Opening = {
  readonly profiles: readonly BankProfile[];
  readonly credentials: Credentials;
  readonly addresses: Addresses;
  readonly redirectUris: readonly string[];
  readonly tools: BankTools;
  readonly log: Log;
};

// Undefined: there is no such bank.
export type OpenBank = (id: string) => Promise<Bank> | undefined;

// A bank opens when somebody needs it: its keys and its authorisation server take a moment to make.
export const bankOpener = (opening: Opening): OpenBank => {
  const { identity, clientSigningKey } = opening.credentials;
  const clientKey = createPublicKey(clientSigningKey.privateKey);
  const verifier = {
    keyOf: (kid: string) => (kid === clientSigningKey.kid ? clientKey : undefined),
    issuer: `${identity.organisationId}/${identity.softwareStatementId}`,
    trustAnchor: identity.trustAnchor,
  };
  const open = async (profile: BankProfile): Promise<Bank> => {
    const { id, signsWith = id, organisationId } = profile;
    const signingKey = await opening.credentials.openKey(signsWith);
    return {
      profile,
      provider: await bankProvider({ ...opening, bank: profile, signingKey }),
      tools: opening.tools,
      signer: {
        kid: signingKey.kid,
        privateKey: signingKey.privateKey,
        issuer: organisationId,
        trustAnchor: identity.trustAnchor,
      },
      verifier,
    };
  };
  const opened = new Map<string, Promise<Bank>>();
  return (id) => {
    const profile = opening.profiles.find((each) => each.id === id);
    if (!profile) return undefined;
    const bank = opened.get(id) ?? open(profile);
    opened.set(id, bank);
    return bank;
  };
};
