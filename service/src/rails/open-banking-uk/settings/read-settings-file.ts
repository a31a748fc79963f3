import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pence } from '#kernel/pence.ts';
import { allIdTokenChecks, type BankProfile } from './bank-profile.ts';
import { productionBanks } from './production-banks.ts';
import type { OpenBankingSettings } from './settings.ts';

/** The operator's own registration: identity, keys, and enabled banks. */
type SettingsFile = {
  readonly client: Readonly<Record<(typeof clientMembers)[number], string>> & {
    readonly caFile?: string;
  };
  /** A known brand by its id with the differences, or a whole row of a new one. */
  readonly banks: readonly BankRow[];
};

type BankRow = Partial<Omit<BankProfile, 'limitPence'>> & {
  readonly id: string;
  readonly limitPounds?: number;
};

const clientMembers = [
  'clientId',
  'organisationId',
  'softwareStatementId',
  'signingKeyId',
  'trustAnchor',
  'signingKeyFile',
  'transportCertificateFile',
  'transportKeyFile',
] as const;

/** Throws one sentence that names the setting and the member at fault. */
export const readSettingsFile = async (
  path: string,
  settingName: string,
  redirectUri: string,
  accountRedirectUri: string,
): Promise<OpenBankingSettings> => {
  const fail = (why: string): never => {
    throw new Error(`${settingName}: ${why}.`);
  };
  const file = await readJson(path, fail);
  for (const member of clientMembers)
    if (typeof file.client?.[member] !== 'string') fail(`client.${member} is missing in the file`);
  if (!Array.isArray(file.banks) || file.banks.length === 0) fail('banks is missing in the file');
  const { client } = file;
  const pem = (name: string): Promise<string> =>
    readFile(resolve(dirname(path), name), 'utf8').catch(() => fail(`${name} cannot be read`));
  return {
    client: {
      clientId: client.clientId,
      organisationId: client.organisationId,
      softwareStatementId: client.softwareStatementId,
      signingKeyId: client.signingKeyId,
      trustAnchor: client.trustAnchor,
      redirectUri,
      accountRedirectUri,
      signingKeyPem: await pem(client.signingKeyFile),
      transportCertificatePem: await pem(client.transportCertificateFile),
      transportKeyPem: await pem(client.transportKeyFile),
      ...(client.caFile ? { caPem: await pem(client.caFile) } : {}),
    },
    banks: file.banks.map(profileOf),
    hidesUnavailableBanks: true,
  };
};

const readJson = async (path: string, fail: (why: string) => never): Promise<SettingsFile> => {
  const text = await readFile(path, 'utf8').catch(() => fail(`${path} cannot be read`));
  try {
    return JSON.parse(text) as SettingsFile;
  } catch {
    return fail(`${path} is not JSON`);
  }
};

const known = (): ReadonlyMap<string, BankProfile> =>
  new Map(productionBanks().map((bank) => [bank.id, bank]));

/** Missing values come from the brand's own row, else from the usual values. */
const profileOf = ({ limitPounds, ...row }: BankRow): BankProfile => {
  const base = known().get(row.id) ?? unknownBrand(row);
  return {
    ...base,
    ...row,
    isEnabled: row.isEnabled ?? true,
    limitPence: limitPounds === undefined ? base.limitPence : pence(Math.round(limitPounds * 100)),
  };
};

const unknownBrand = (row: BankRow): BankProfile => ({
  id: row.id,
  name: row.name ?? '',
  fullName: row.fullName ?? row.name ?? '',
  kind: 'both',
  colour: '#334155',
  limitPence: pence(1_000_000_00),
  isEnabled: true,
  isPopular: false,
  countryCode: 'GB',
  issuer: row.issuer ?? '',
  wellKnown: `${(row.issuer ?? '').replace(/\/$/, '')}/.well-known/openid-configuration`,
  paymentsUrl: '',
  version: '4.0',
  tokenAuth: 'private_key_jwt',
  responseMode: 'jwt',
  authorisation: 'par',
  idTokenChecks: allIdTokenChecks,
  answerSignature: 'required',
  tokenScope: 'payments',
  readRefundAccount: true,
  quirks: [],
});
