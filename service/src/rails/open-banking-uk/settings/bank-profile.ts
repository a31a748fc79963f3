import type { Institution } from '#rails/bank-rail.ts';

/** What differs from bank to bank, as data. A new bank is a new row, never new code. */
export type BankProfile = Institution & {
  readonly issuer: string;
  readonly wellKnown: string;
  readonly paymentsUrl: string;
  readonly version: '4.0' | '3.1';
  /** The client id that this bank gave us, if it is not the same everywhere. */
  readonly clientId?: string;
  /** Where it shows accounts, and in which version; absent: it does not, or not to us. */
  readonly accountsUrl?: string;
  readonly accountsVersion?: '4.0' | '3.1';
  readonly tokenAuth:
    | 'private_key_jwt'
    | 'tls_client_auth'
    | 'client_secret_basic'
    | 'client_secret_post';
  readonly responseMode: 'jwt' | 'fragment' | 'query';
  readonly authorisation: 'par' | 'jar';
  readonly idTokenChecks: IdTokenChecks;
  /** Whether the bank's answers must carry x-jws-signature; a present one is always verified. */
  readonly answerSignature: 'required' | 'ifPresent';
  /** The bank's signing keys, if not among those of its issuer. */
  readonly bankSigning?: { readonly jwksUri: string; readonly organisationId?: string };
  readonly requestObjectAudience?: string;
  readonly tokenScope: string;
  readonly contextCode?: string;
  readonly financialId?: string;
  readonly readRefundAccount: boolean;
  /** Facts that no code acts on yet; named so that the one who adds the code finds them. */
  readonly quirks: readonly string[];
};

/** Some banks leave a claim out or fill it in their own way; the signature is never optional. */
export type IdTokenChecks = {
  readonly nonce: boolean;
  readonly acr: boolean;
  readonly intentId: boolean;
};

export const allIdTokenChecks: IdTokenChecks = { nonce: true, acr: true, intentId: true };

/** Features that this connector does not support yet; such a bank may be listed but not enabled. */
const spoken = {
  version: ['4.0'],
  tokenAuth: ['private_key_jwt'],
  responseMode: ['jwt'],
  authorisation: ['par'],
} satisfies Partial<Record<keyof BankProfile, readonly string[]>>;

/** One sentence for each thing wrong, naming the setting. */
export const checkBankProfile = (profile: BankProfile): readonly string[] => {
  const where = `banks["${profile.id}"]`;
  const wrong: string[] = [];
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(profile.id))
    wrong.push(`${where}.id must be lower-case letters, digits, "-" or "_".`);
  if (!profile.name) wrong.push(`${where}.name is missing.`);
  if (!/^#[0-9a-fA-F]{6}$/.test(profile.colour))
    wrong.push(`${where}.colour must be a colour such as #1a2b3c.`);
  if (profile.limitPence <= 0n) wrong.push(`${where}.limitPence must be above zero.`);
  if (profile.isEnabled) wrong.push(...checkReachable(profile, where));
  return wrong;
};

const checkReachable = (profile: BankProfile, where: string): readonly string[] => {
  const wrong: string[] = [];
  for (const name of ['issuer', 'wellKnown', 'paymentsUrl'] as const)
    if (!isAllowedAddress(profile[name]))
      wrong.push(`${where}.${name} must be an https address, or http on this machine.`);
  if (profile.accountsUrl !== undefined && !isAllowedAddress(profile.accountsUrl))
    wrong.push(`${where}.accountsUrl must be an https address, or http on this machine.`);
  if (profile.bankSigning && !isAllowedAddress(profile.bankSigning.jwksUri))
    wrong.push(`${where}.bankSigning.jwksUri must be an https address, or http on this machine.`);
  if (!profile.tokenScope.split(' ').includes('payments'))
    wrong.push(`${where}.tokenScope must include "payments".`);
  for (const [name, values] of Object.entries(spoken)) {
    const value = profile[name as keyof typeof spoken];
    if (!(values as readonly string[]).includes(value))
      wrong.push(`${where}.${name} "${value}" is not supported yet: leave this bank disabled.`);
  }
  return wrong;
};

export const isAllowedAddress = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === 'https:' || isLoopbackHttp(url);
};

/** Only the simulator's front channel is plain http, and only on this machine. */
export const isLoopbackHttp = (url: URL): boolean =>
  url.protocol === 'http:' &&
  (url.hostname === 'localhost' ||
    url.hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(url.hostname));
