import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import type { ReturnOutcome, ReturnParameters } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { faultName, unanswered, warn } from '../bank/call-bank.ts';
import { KeysUnavailable, verifyBankJwt } from '../bank/open-key-source.ts';
import { sentenceFor } from '../messages/bank-errors.ts';
import type { BankProfile } from '../settings/bank-profile.ts';
import { checkIdToken, isSameText } from './check-id-token.ts';
import type { Awaiting, Visit } from './visit.ts';

type VisitAnswer =
  | { readonly kind: 'CODE'; readonly code: string }
  | { readonly kind: 'ERROR'; readonly error: string; readonly text: unknown }
  | { readonly kind: 'INVALID'; readonly why: string };

/** A return that is not from this bank for this very visit is invalid, whatever else it says. */
export const readReturn = async (
  bank: Bank,
  { authorisation, ...rest }: Awaiting,
  parameters: ReturnParameters,
): Promise<ReturnOutcome> => {
  if (!authorisation) return invalid('Nothing waits for this return.');
  const visit = { ...rest, authorisation };
  try {
    const answer = await answerWays[bank.profile.responseMode](bank, visit, parameters);
    if (answer.kind === 'CODE')
      return { kind: 'AUTHORISED', code: answer.code, state: JSON.stringify(visit) };
    return answer.kind === 'ERROR' ? declined(answer.error, answer.text) : invalid(answer.why);
  } catch (error) {
    const why = error instanceof KeysUnavailable ? 'keys unavailable' : faultName(error);
    warn(bank, visit.interactionId, 'read return', why, 'return not verified');
    return unanswered('keys unavailable');
  }
};

const declined = (error: string, text: unknown): ReturnOutcome => {
  // Version 4 puts a code of the standard into the text; the text itself is never shown.
  const reason = typeof text === 'string' ? /\b(?:U0\d\d|[A-Z]{2}\d\d)\b/.exec(text)?.[0] : null;
  const code = reason ?? plainOauthCode(error);
  return {
    kind: 'DECLINED',
    byPayer: error === 'access_denied',
    code,
    description: sentenceFor(code),
  };
};

const invalid = (description: string): ReturnOutcome => ({ kind: 'INVALID', description });

const responseLengthMax = 16_384;

/** Of what the browser brought back, only what is this bank's answer to this visit. */
type ReadAnswer = (bank: Bank, visit: Visit, parameters: ReturnParameters) => Promise<VisitAnswer>;

/** The whole answer is signed by the bank (JARM). */
const readSignedAnswer: ReadAnswer = async (bank, visit, parameters) => {
  const response = parameterOf(parameters, 'response', responseLengthMax);
  if (!response) return { kind: 'INVALID', why: 'The return carries no signed response.' };
  const { issuerKeys } = await bank.discovered.get();
  const claims = await verifyBankJwt(response, {
    keys: issuerKeys,
    issuer: bank.profile.issuer,
    audience: bank.client.clientId,
    now: bank.tools.clock.now(),
  });
  if (!claims) return { kind: 'INVALID', why: 'The response is not signed by this bank for us.' };
  if (!isSameText(claims.state, visit.authorisation.oauthState))
    return { kind: 'INVALID', why: 'The response belongs to another visit.' };
  return readAnswerMembers(claims);
};

const parameterLengthMax = 4_096;

/**
 * A code in the query is not signed: its state, known to the visitor and the bank alone, says whose it
 * is, and the id token that it is exchanged for says what it pays.
 */
const readQueryAnswer: ReadAnswer = async (bank, visit, parameters) =>
  readUnsignedAnswer(bank.profile.issuer, visit.authorisation.oauthState, parameters);

/** Errors come unsigned in the fragment too. */
const readUnsignedAnswer = (
  issuer: string,
  oauthState: string,
  parameters: Readonly<Record<string, string>>,
): VisitAnswer => {
  const read = (name: string) => parameterOf(parameters, name, parameterLengthMax);
  if (!isSameText(read('state'), oauthState))
    return { kind: 'INVALID', why: 'The return belongs to another visit.' };
  const named = read('iss');
  if (named !== undefined && named !== issuer)
    return { kind: 'INVALID', why: 'The return names another bank.' };
  return readAnswerMembers({
    code: read('code'),
    error: read('error'),
    error_description: read('error_description'),
  });
};

const idTokenLengthMax = 16_384;

/** `code id_token`: the id token signs the code and the state by their hashes (hybrid flow). */
const readFragmentAnswer: ReadAnswer = async (bank, visit, parameters) => {
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
  const { stateHash } = bank.profile.idTokenChecks;
  const fault = findHashFault(checked.claims, answer.code, oauthState, stateHash);
  return fault === null ? answer : { kind: 'INVALID', why: `The id token has a wrong ${fault}.` };
};

const answerWays: Readonly<Record<BankProfile['responseMode'], ReadAnswer>> = {
  jwt: readSignedAnswer,
  fragment: readFragmentAnswer,
  query: readQueryAnswer,
};

const findHashFault = (
  claims: JWTPayload,
  code: string,
  oauthState: string,
  isDemanded: boolean,
): string | null => {
  if (!isSameText(claims.c_hash, leftHalfOf(code))) return 'c_hash';
  // A claim that is not demanded may be absent; a present one must still be ours.
  if (!isDemanded && claims.s_hash === undefined) return null;
  return isSameText(claims.s_hash, leftHalfOf(oauthState)) ? null : 's_hash';
};

const leftHalfOf = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');

const codeLengthMax = 4_096;

/** The error or the code, of an answer that is known to be of this visit. */
const readAnswerMembers = (members: Readonly<Record<string, unknown>>): VisitAnswer => {
  const { error, code } = members;
  if (typeof error === 'string' && error !== '')
    return { kind: 'ERROR', error, text: members.error_description };
  if (typeof code !== 'string' || code === '' || code.length > codeLengthMax)
    return { kind: 'INVALID', why: 'The response carries neither a code nor an error.' };
  return { kind: 'CODE', code };
};

/** Any browser can bring anything: a text of its own member, not longer than what banks send. */
const parameterOf = (
  parameters: ReturnParameters,
  name: string,
  lengthMax: number,
): string | undefined => {
  const value: unknown = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  return typeof value === 'string' && value !== '' && value.length <= lengthMax ? value : undefined;
};

/** The OAuth error of the bank's refusal; null when it is not definite. */
export const oauthRefusalCode = (error: unknown): string | null => {
  if (error instanceof ResponseBodyError && error.status >= 400 && error.status < 500)
    return error.status === 429 ? null : plainOauthCode(error.error);
  if (error instanceof WWWAuthenticateChallengeError && error.status === 401)
    return 'invalid_client';
  return null;
};

/** Codes are stored and shown, so only the alphabet that OAuth's own codes use. */
const plainOauthCode = (code: string): string =>
  /^[a-z_]{1,60}$/.test(code) ? code : 'unknown_error';
