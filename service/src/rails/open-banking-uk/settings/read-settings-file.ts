import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pence } from '#kernel/pence.ts';
import { readRegistrations } from '../register-client.ts';
import { allIdTokenChecks, type BankProfile, discoveryAddress, usualBank } from './bank-profile.ts';
import { knownBanks } from './known-banks.ts';
import type { OpenBankingClient, OpenBankingSettings } from './settings.ts';

/** The operator's own registration: identity, keys, and enabled banks. */
type SettingsFile = {
  /** Each key is `<name>File`, beside this file, or `<name>Variable` of the environment. */
  readonly client: Readonly<Record<string, string | undefined>>;
  /** A known brand by its id with the differences, or a whole row of a new one. */
  readonly banks: readonly BankRow[];
};

type BankRow = Partial<Omit<BankProfile, 'limitPence'>> & {
  readonly id: string;
  readonly limitPounds?: number;
  /** For a bank that knows us by a secret: the file or the variable that holds it and nothing else. */
  readonly clientSecretFile?: string;
  readonly clientSecretVariable?: string;
};

const plainMembers = [
  'organisationId',
  'softwareStatementId',
  'signingKeyId',
  'trustAnchor',
] as const;

const keyMembers = {
  signingKey: 'signingKeyPem',
  transportCertificate: 'transportCertificatePem',
  transportKey: 'transportKeyPem',
} as const;

export type SettingsSource = {
  readonly path: string;
  readonly settingName: string;
  readonly redirectUri: string;
  readonly accountRedirectUri: string;
  readonly readVariable: (name: string) => string | undefined;
};

/** Throws one sentence that names the setting and the member at fault. */
export const readSettingsFile = (source: SettingsSource): OpenBankingSettings => {
  const { path, readVariable, redirectUri, accountRedirectUri } = source;
  const fail = (why: string): never => {
    throw new Error(`${source.settingName}: ${why}.`);
  };
  const file = readJson(path, fail);
  const client: Readonly<Record<string, unknown>> = file.client ?? {};
  const plain = (member: string): string =>
    memberOf(client, member) ?? fail(`client.${member} is missing in the file`);
  const textAt = (row: Readonly<Record<string, unknown>>, name: string): string | null => {
    const variable = memberOf(row, `${name}Variable`);
    if (variable !== null)
      return readVariable(variable) ?? fail(`the variable ${variable} is not set`);
    const file = memberOf(row, `${name}File`);
    return file === null ? null : readFrom(resolve(dirname(path), file), file, fail);
  };
  const caPem = textAt(client, 'ca');
  const softwareStatement = textAt(client, 'softwareStatement');
  const read = {
    // A bank may have given the firm an id of its own.
    clientId: memberOf(client, 'clientId') ?? '',
    ...Object.fromEntries(plainMembers.map((member) => [member, plain(member)])),
    ...Object.fromEntries(
      Object.entries(keyMembers).map(([name, member]) => [
        member,
        textAt(client, name) ?? fail(`client.${name}File is missing in the file`),
      ]),
    ),
    ...(caPem !== null && { caPem }),
    ...(softwareStatement !== null && { softwareStatement }),
    redirectUri,
    accountRedirectUri,
  };
  if (!Array.isArray(file.banks) || file.banks.length === 0) fail('banks is missing in the file');
  const registrations = registrationsBeside(path, fail);
  const banks = file.banks.map(({ clientSecretFile, clientSecretVariable, ...row }) => {
    const secret = { clientSecretFile, clientSecretVariable };
    const clientSecret = textAt(secret, 'clientSecret')?.trim();
    return profileOf({
      ...registrations[row.id],
      ...row,
      ...(clientSecret !== undefined && { clientSecret }),
    });
  });
  return {
    client: read as OpenBankingClient,
    banks,
    hidesUnavailableBanks: true,
  };
};

type Fail = (why: string) => never;

const registrationsBeside = (path: string, fail: Fail) => {
  try {
    return readRegistrations(path);
  } catch (error) {
    return fail((error as Error).message);
  }
};

const readFrom = (path: string, name: string, fail: Fail): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return fail(`${name} cannot be read`);
  }
};

const memberOf = (row: Readonly<Record<string, unknown>>, member: string): string | null => {
  const value = row[member];
  return typeof value === 'string' && value !== '' ? value : null;
};

const readJson = (path: string, fail: Fail): SettingsFile => {
  const text = readFrom(path, path, fail);
  try {
    return JSON.parse(text) as SettingsFile;
  } catch {
    return fail(`${path} is not JSON`);
  }
};

/** Missing values come from the brand's own row, else from the usual values. */
const profileOf = ({ limitPounds, ...row }: BankRow): BankProfile => {
  const base = knownBanks().find(({ id }) => id === row.id) ?? unknownBrand(row);
  return {
    ...base,
    ...row,
    isEnabled: row.isEnabled ?? true,
    limitPence: limitPounds === undefined ? base.limitPence : pence(Math.round(limitPounds * 100)),
  };
};

const unknownBrand = ({ id, name = '', fullName = name, issuer = '' }: BankRow): BankProfile => ({
  ...usualBank,
  ...{ id, name, fullName, issuer },
  kind: 'both',
  colour: '#334155',
  limitPence: pence(1_000_000_00),
  isEnabled: true,
  wellKnown: discoveryAddress(issuer),
  paymentsUrl: '',
  version: '4.0',
  tokenAuth: 'private_key_jwt',
  assertionAudience: 'issuer',
  responseMode: 'jwt',
  authorisation: 'par',
  idTokenChecks: allIdTokenChecks,
  answerSignature: 'required',
});
