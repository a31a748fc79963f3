import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usesClientSecret, type WireTraits } from '#simulator/bank/bank-traits.ts';
import type { BankProfile } from '#simulator/bank/banks.ts';
import type { Addresses } from '#simulator/bank/wire/addresses.ts';
import type { CardSecrets } from '#simulator/cards/ports.ts';
import { type Credentials, clientSecretFor, writePrivateFile } from './credentials.ts';

type Programs = {
  readonly cards: CardSecrets & { readonly apiUrl: string };
  readonly transfers: object;
};

// The file a client reads to find the banks, as it would from a directory and from each bank's portal.
export const writeRegistration = (
  folder: string,
  ...parts: Parameters<typeof registrationOf>
): Promise<void> =>
  writePrivateFile(
    join(folder, 'registration.json'),
    JSON.stringify(registrationOf(...parts), null, 2),
  );

export type Registration = ReturnType<typeof registrationOf>;
export type RegisteredBank = Registration['banks'][number];

const registrationOf = (
  credentials: Credentials,
  banks: readonly BankProfile[],
  addresses: Addresses,
  { cards, transfers }: Programs,
) => {
  const { identity, clientSigningKey } = credentials;
  return {
    clientId: identity.clientId,
    signingKeyId: clientSigningKey.kid,
    organisationId: identity.organisationId,
    softwareStatementId: identity.softwareStatementId,
    trustAnchor: identity.trustAnchor,
    controlToken: identity.controlToken,
    controlUrl: `${addresses.frontUrl}/control`,
    banks: banks.map((bank) => registeredBank(bank, addresses, credentials)),
    cards: {
      apiUrl: cards.apiUrl,
      secretKey: cards.secretKey,
      webhookSecret: cards.webhookSecret,
      publishableKey: cards.publishableKey,
      fieldsUrl: `${addresses.frontUrl}/cards/fields.js`,
      controlUrl: `${addresses.frontUrl}/control/cards`,
    },
    transfers,
  };
};

const registeredBank = (bank: BankProfile, addresses: Addresses, credentials: Credentials) => {
  const issuer = addresses.issuer(bank.id);
  const { wire } = bank;
  return {
    id: bank.id,
    name: bank.name,
    shortName: bank.shortName,
    colour: bank.colour,
    kind: bank.kind,
    isPopular: bank.isPopular,
    isEnabled: bank.isEnabled,
    issuer,
    wellKnown: `${issuer}${wire.discoveryPath}`,
    paymentsUrl: addresses.payments(bank.id, wire.version),
    accountsUrl: addresses.accounts(bank.id, bank.statement.version),
    accountsVersion: bank.statement.version,
    version: wire.version,
    ...(wire.sendsEvents && { eventsUrl: addresses.events(bank.id, wire.version) }),
    tokenAuth: wire.tokenAuth,
    ...(usesClientSecret(wire) && { clientSecret: clientSecretFor(credentials, bank.id) }),
    responseMode: wire.responseMode,
    authorisation: wire.authorisation,
    tokenScope: wire.tokenScope,
    fundsConfirmation: wire.advisesFundsConfirmation,
    idTokenSubject: wire.idTokenSubject,
    idTokenLacks: wire.idTokenLacks,
    quirks: quirksOf(wire),
    bankSigning: { jwksUri: addresses.keys(bank.id), organisationId: bank.organisationId },
    limitPence: Number(bank.limitPence),
  };
};

// In the words of the directory of banks, where a client knows them.
const quirksOf = (wire: WireTraits): readonly string[] => [
  ...(wire.signsRawBody ? ['jwsB64HeaderFalse'] : []),
  ...(wire.wantsScopeWithCode ? ['scopeInTokenRequest'] : []),
  ...(wire.doublesSlashInLinks ? ['linksMayAddSlash'] : []),
];

// The port of the card processor's API at the last start; 0 when there was none.
export const cardsPortBefore = async (folder: string): Promise<number> => {
  const text = await readFile(join(folder, 'registration.json'), 'utf8').catch(() => '{}');
  const { cards } = JSON.parse(text) as { cards?: { readonly apiUrl: string } };
  return cards ? Number(new URL(cards.apiUrl).port) : 0;
};
