import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pence } from '#kernel/pence.ts';
import type { BankProfile, IdTokenChecks } from './bank-profile.ts';
import { allIdTokenChecks } from './bank-profile.ts';
import type { Quirk } from './quirks.ts';
import type { OpenBankingClient, OpenBankingSettings } from './settings.ts';

/** The sandbox's settings, from the folder in which the simulator registered us. */
export const readRegistration = (
  folder: string,
  redirectUri: string,
  accountRedirectUri: string,
): OpenBankingSettings => {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const registration = JSON.parse(read('registration.json')) as Registration;
  const { clientId, organisationId, softwareStatementId, signingKeyId, trustAnchor } = registration;
  return {
    client: {
      clientId,
      organisationId,
      softwareStatementId,
      signingKeyId,
      trustAnchor,
      redirectUri,
      accountRedirectUri,
      caPem: read('ca.pem'),
      transportCertificatePem: read('transport.pem'),
      transportKeyPem: read('transport-key.pem'),
      signingKeyPem: read('signing-key.pem'),
    },
    banks: registration.banks.map(profileOf),
  };
};

type Registration = Pick<
  OpenBankingClient,
  'clientId' | 'organisationId' | 'softwareStatementId' | 'signingKeyId' | 'trustAnchor'
> & { readonly banks: readonly RegisteredBank[] };

type RegisteredBank = Pick<
  BankProfile,
  | 'id'
  | 'name'
  | 'colour'
  | 'kind'
  | 'isPopular'
  | 'isEnabled'
  | 'issuer'
  | 'wellKnown'
  | 'paymentsUrl'
  | 'version'
  | 'accountsUrl'
  | 'accountsVersion'
  | 'eventsUrl'
  | 'tokenAuth'
  | 'responseMode'
  | 'authorisation'
  | 'bankSigning'
  | 'tokenScope'
  | 'fundsConfirmation'
  | 'clientSecret'
> & {
  readonly shortName: string;
  readonly limitPence: number;
  readonly idTokenSubject: IdTokenChecks['subject'];
  readonly idTokenLacks: readonly Exclude<keyof IdTokenChecks, 'subject'>[];
  readonly quirks: readonly Quirk[];
};

const profileOf = (bank: RegisteredBank): BankProfile => ({
  id: bank.id,
  name: bank.shortName,
  fullName: bank.name,
  kind: bank.kind,
  colour: bank.colour,
  limitPence: pence(bank.limitPence),
  isEnabled: bank.isEnabled,
  isPopular: bank.isPopular,
  countryCode: 'GB',
  issuer: bank.issuer,
  wellKnown: bank.wellKnown,
  paymentsUrl: bank.paymentsUrl,
  version: bank.version,
  ...(bank.accountsUrl !== undefined && {
    accountsUrl: bank.accountsUrl,
    accountsVersion: bank.accountsVersion ?? '4.0',
  }),
  ...(bank.eventsUrl !== undefined && { eventsUrl: bank.eventsUrl }),
  ...(bank.clientSecret !== undefined && { clientSecret: bank.clientSecret }),
  tokenAuth: bank.tokenAuth,
  assertionAudience: 'issuer',
  responseMode: bank.responseMode,
  authorisation: bank.authorisation,
  idTokenChecks: {
    ...allIdTokenChecks,
    ...Object.fromEntries(bank.idTokenLacks.map((name) => [name, false])),
    subject: bank.idTokenSubject,
  },
  answerSignature: 'required',
  ...(bank.bankSigning && { bankSigning: bank.bankSigning }),
  tokenScope: bank.tokenScope,
  readRefundAccount: true,
  fundsConfirmation: bank.fundsConfirmation,
  quirks: bank.quirks,
});
