import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { ReadAnswer } from '../bank/bank.ts';
import { checkIdToken } from './check-id-token.ts';
import { isSameText } from './is-same-text.ts';
import { parameterOf } from './parameter-of.ts';
import { readUnsignedAnswer } from './read-query-answer.ts';

const idTokenLengthMax = 16_384;

/** `code id_token`: the id token signs the code and the state by their hashes (hybrid flow). */
export const readFragmentAnswer: ReadAnswer = async (bank, visit, parameters) => {
  const { oauthState, nonce } = visit.authorisation;
  const answer = readUnsignedAnswer(bank.profile.issuer, oauthState, parameters);
  if (answer.kind !== 'CODE') return answer;
  const idToken = parameterOf(parameters, 'id_token', idTokenLengthMax);
  const checked = await checkIdToken(bank, { consentId: visit.consentId, nonce }, idToken);
  if (checked.fault !== null)
    return {
      kind: 'INVALID',
      why: `The id token is not this bank's for this visit: ${checked.fault}.`,
    };
  const fault = findHashFault(checked.claims, answer.code, oauthState, {
    stateHash: bank.profile.idTokenChecks.stateHash,
  });
  return fault === null ? answer : { kind: 'INVALID', why: `The id token has a wrong ${fault}.` };
};

const findHashFault = (
  claims: JWTPayload,
  code: string,
  oauthState: string,
  demanded: { readonly stateHash: boolean },
): string | null => {
  if (!isSameText(claims.c_hash, leftHalfOf(code))) return 'c_hash';
  // A claim that is not demanded may be absent; a present one must still be ours.
  if (!demanded.stateHash && claims.s_hash === undefined) return null;
  return isSameText(claims.s_hash, leftHalfOf(oauthState)) ? null : 's_hash';
};

const leftHalfOf = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
