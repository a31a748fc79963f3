import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pence } from '#kernel/pence.ts';
import {
  type BankProfile,
  type IdTokenChecks,
  idTokenChecksOf,
  usualBank,
} from './bank-profile.ts';
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

type RegisteredBank = Omit<BankProfile, 'fullName' | 'limitPence'> & {
  readonly shortName: string;
  readonly limitPence: number;
  readonly idTokenSubject: IdTokenChecks['subject'];
  readonly idTokenLacks: readonly Exclude<keyof IdTokenChecks, 'subject'>[];
};

const profileOf = ({
  shortName,
  idTokenSubject,
  idTokenLacks,
  ...bank
}: RegisteredBank): BankProfile => ({
  ...usualBank,
  ...bank,
  name: shortName,
  fullName: bank.name,
  limitPence: pence(bank.limitPence),
  assertionAudience: 'issuer',
  idTokenChecks: idTokenChecksOf(idTokenLacks, idTokenSubject),
  answerSignature: 'required',
});
