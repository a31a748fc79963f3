import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BankProfile } from '#simulator/bank/banks.ts';
import type { Addresses } from '#simulator/bank/wire/addresses.ts';
import type { Credentials } from './credentials.ts';
import { writePrivateFile } from './write-private-file.ts';

export type CardsRegistration = {
  readonly apiUrl: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
};

export type ProgramsRegistration = {
  readonly cards: CardsRegistration;
  readonly transfers: { readonly url: string; readonly secret: string };
};

// The file a client reads to find the banks, as it would from a directory and from each bank's portal.
export const writeRegistration = async (
  folder: string,
  credentials: Credentials,
  banks: readonly BankProfile[],
  addresses: Addresses,
  { cards, transfers }: ProgramsRegistration,
): Promise<void> => {
  const { identity, clientSigningKey } = credentials;
  const registration = {
    clientId: identity.clientId,
    signingKeyId: clientSigningKey.kid,
    organisationId: identity.organisationId,
    softwareStatementId: identity.softwareStatementId,
    trustAnchor: identity.trustAnchor,
    controlToken: identity.controlToken,
    controlUrl: `${addresses.frontUrl}/control`,
    banks: banks.map((bank) => registeredBank(bank, addresses)),
    cards: {
      apiUrl: cards.apiUrl,
      secretKey: cards.secretKey,
      webhookSecret: cards.webhookSecret,
      controlUrl: `${addresses.frontUrl}/control/cards`,
    },
    transfers,
  };
  await writePrivateFile(join(folder, 'registration.json'), JSON.stringify(registration, null, 2));
};

const registeredBank = (bank: BankProfile, addresses: Addresses) => {
  const issuer = addresses.issuer(bank.id);
  return {
    id: bank.id,
    name: bank.name,
    shortName: bank.shortName,
    colour: bank.colour,
    kind: bank.kind,
    isPopular: bank.isPopular,
    isEnabled: bank.isEnabled,
    issuer,
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    paymentsUrl: addresses.payments(bank.id),
    accountsUrl: addresses.accounts(bank.id, bank.statement.version),
    accountsVersion: bank.statement.version,
    version: '4.0',
    tokenAuth: 'private_key_jwt',
    responseMode: 'jwt',
    authorisation: 'par',
    bankSigning: { jwksUri: addresses.keys(bank.id), organisationId: bank.organisationId },
    limitPence: Number(bank.limitPence),
  };
};

// The port of the card processor's API at the last start; 0 when there was none.
export const cardsPortBefore = async (folder: string): Promise<number> => {
  const text = await readFile(join(folder, 'registration.json'), 'utf8').catch(() => '{}');
  const { cards } = JSON.parse(text) as { cards?: { readonly apiUrl: string } };
  return cards ? Number(new URL(cards.apiUrl).port) : 0;
};
