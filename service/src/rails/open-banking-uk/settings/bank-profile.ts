import type { Institution } from '#rails/bank-rail.ts';
import { isQuirk, type Quirk } from './quirks.ts';

/** What differs from bank to bank, as data. A new bank is a new row, never new code. */
export type BankProfile = Institution & {
  readonly issuer: string;
  readonly wellKnown: string;
  readonly paymentsUrl: string;
  readonly version: StandardVersion;
  /** Where payments that began before a change of version are still found. */
  readonly earlier?: { readonly version: StandardVersion; readonly paymentsUrl: string };
  /** Where it shows accounts, and in which version; absent: it does not, or not to us. */
  readonly accountsUrl?: string;
  readonly accountsVersion?: StandardVersion;
  /** Where we subscribe to its event notifications; absent: it sends none, or none to us. */
  readonly eventsUrl?: string;
  /** Our registration at this bank, where it is not the one of the directory. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly tokenAuth: keyof typeof spoken.tokenAuth;
  /** Whom a signed client assertion addresses. */
  readonly assertionAudience: keyof typeof spoken.assertionAudience;
  readonly responseMode: keyof typeof spoken.responseMode;
  readonly authorisation: keyof typeof spoken.authorisation;
  /** The authorisation address of a bank without web pages: only its app opens it. */
  readonly appAddress?: string;
  readonly idTokenChecks: IdTokenChecks;
  /** Whether the bank's answers must carry x-jws-signature; a present one is always verified. */
  readonly answerSignature: 'required' | 'ifPresent';
  /** The bank's signing keys, if not among those of its issuer. */
  readonly bankSigning?: { readonly jwksUri: string; readonly organisationId?: string };
  readonly requestObjectAudience?: string;
  readonly tokenScope: string;
  readonly contextCode?: string;
  /** Characters of a reference, where it is fewer than Faster Payments carries. */
  readonly referenceLengthMax?: number;
  readonly financialId?: string;
  readonly readRefundAccount: boolean;
  /** Whether it says, before a payment is sent, that the account holds enough. */
  readonly fundsConfirmation: boolean;
  readonly quirks: readonly Quirk[];
};

export type StandardVersion = keyof typeof spoken.version;

/** Some banks leave a claim out or fill it in their own way; the signature is never optional. */
export type IdTokenChecks = {
  readonly nonce: boolean;
  readonly acr: boolean;
  readonly intentId: boolean;
  readonly stateHash: boolean;
  /** Whom `sub` names; what names the customer cannot be known before. */
  readonly subject: 'consent' | 'customer' | 'client';
};

export const allIdTokenChecks: IdTokenChecks = {
  nonce: true,
  acr: true,
  intentId: true,
  stateHash: true,
  subject: 'consent',
};

/** As directories list it: what the bank leaves out of an id token, or fills in its own way. */
export const idTokenChecksOf = (
  lacks: readonly Exclude<keyof IdTokenChecks, 'subject'>[] = [],
  subject: IdTokenChecks['subject'] = 'consent',
): IdTokenChecks => ({
  ...allIdTokenChecks,
  ...Object.fromEntries(lacks.map((name) => [name, false])),
  subject,
});

/** What a bank is unless its row says otherwise. */
export const usualBank = {
  isPopular: false,
  countryCode: 'GB',
  tokenScope: 'payments',
  readRefundAccount: true,
  fundsConfirmation: false,
  quirks: [],
} as const satisfies Partial<BankProfile>;

export const discoveryAddress = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** What this connector speaks: an operator's file may name nothing else. */
const spoken = {
  version: { '3.1': true, '4.0': true },
  tokenAuth: { private_key_jwt: true, tls_client_auth: true, client_secret_basic: true },
  assertionAudience: { issuer: true, tokenEndpoint: true },
  responseMode: { jwt: true, fragment: true, query: true },
  authorisation: { par: true, jar: true },
} as const;

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
  const { issuer, wellKnown, paymentsUrl, accountsUrl, eventsUrl, bankSigning, earlier } = profile;
  const addresses = {
    ...{ issuer, wellKnown, paymentsUrl, accountsUrl, eventsUrl },
    'bankSigning.jwksUri': bankSigning?.jwksUri,
    'earlier.paymentsUrl': earlier?.paymentsUrl,
  };
  const wrong = Object.entries(addresses).flatMap(([name, address]) =>
    address === undefined || isAllowedAddress(address)
      ? []
      : [`${where}.${name} must be an https address, or http on this machine.`],
  );
  if (!profile.tokenScope.split(' ').includes('payments'))
    wrong.push(`${where}.tokenScope must include "payments".`);
  return [...wrong, ...checkWays(profile, where)];
};

const checkWays = (profile: BankProfile, where: string): readonly string[] => {
  const wrong: string[] = [];
  for (const [name, values] of Object.entries(spoken)) {
    const value = profile[name as keyof typeof spoken];
    if (!Object.hasOwn(values, value))
      wrong.push(`${where}.${name} "${value}" is none of ${Object.keys(values).join(', ')}.`);
  }
  for (const quirk of profile.quirks)
    if (!isQuirk(quirk)) wrong.push(`${where}.quirks has "${quirk}", which is not known.`);
  if (profile.tokenAuth === 'client_secret_basic' && !profile.clientSecret)
    wrong.push(`${where}.clientSecret is missing: the bank knows us by a secret.`);
  if (profile.appAddress !== undefined && !isAppAddress(profile.appAddress))
    wrong.push(`${where}.appAddress must be the address of an app.`);
  return wrong;
};

/** Of a scheme that an app has claimed, never one that a browser reads itself. */
const isAppAddress = (address: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]*$/.test(address) &&
  !/^(https?|javascript|data|file|blob|about|vbscript):/.test(address);

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
