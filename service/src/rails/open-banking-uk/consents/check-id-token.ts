import { createHash, timingSafeEqual } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { Bank } from '../bank/bank.ts';
import { verifyBankJwt } from '../bank/open-key-source.ts';
import type { IdTokenChecks } from '../settings/bank-profile.ts';

/** Of the visit that this token ends. */
type ExpectedIdToken = { readonly consentId: string; readonly nonce: string };

type CheckedIdToken =
  | { readonly fault: null; readonly claims: JWTPayload }
  | { readonly fault: string; readonly claims?: never };

/** The fault names the claim; it is logged, never shown. */
export const checkIdToken = async (
  bank: Bank,
  expected: ExpectedIdToken,
  idToken: string | undefined,
): Promise<CheckedIdToken> => {
  if (!idToken) return { fault: 'missing' };
  const { issuerKeys } = await bank.discovered.get();
  const claims = await verifyBankJwt(idToken, {
    keys: issuerKeys,
    issuer: bank.profile.issuer,
    audience: bank.client.clientId,
    now: bank.tools.clock.now(),
  });
  if (!claims) return { fault: 'signature, issuer, audience or expiry' };
  const fault = findClaimFault(bank, expected, claims);
  return fault === null ? { fault, claims } : { fault };
};

const findClaimFault = (
  bank: Bank,
  expected: ExpectedIdToken,
  claims: JWTPayload,
): string | null => {
  const { nonce, acr, intentId, subject } = bank.profile.idTokenChecks;
  const intent = claims.openbanking_intent_id;
  // A claim that is not demanded may be absent; a present one must still be ours.
  if ((intentId || intent !== undefined) && !isSameText(intent, expected.consentId))
    return 'openbanking_intent_id';
  if ((nonce || claims.nonce !== undefined) && !isSameText(claims.nonce, expected.nonce))
    return 'nonce';
  if (acr && !acceptedAcr.has(String(claims.acr))) return 'acr';
  return isSubject[subject](claims.sub, bank, expected) ? null : 'sub';
};

type IsSubject = (sub: unknown, bank: Bank, expected: ExpectedIdToken) => boolean;

const isSubject: Readonly<Record<IdTokenChecks['subject'], IsSubject>> = {
  consent: (sub, _bank, { consentId }) => isSameText(sub, consentId),
  client: (sub, { client }) => isSameText(sub, client.clientId),
  customer: (sub) => typeof sub === 'string' && sub !== '',
};

const acceptedAcr = new Set(['urn:openbanking:psd2:sca', 'urn:openbanking:psd2:ca']);

/** In constant time: an expected value must not be found letter by letter. */
export const isSameText = (given: unknown, expected: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digestOf(given), digestOf(expected));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
