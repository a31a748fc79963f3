import { genericGrantRequest, ResponseBodyError } from 'openid-client';
import type {
  AccountConsentStatusOutcome,
  ConsentEnded,
  NotRead,
  RateLimited,
  RevokeOutcome,
  TokensOutcome,
} from '#rails/bank-data-rail.ts';
import type { Unknown } from '#rails/bank-rail.ts';
import type { Bank } from '../bank/bank.ts';
import {
  answeredWith,
  type BankAnswer,
  callAsClient,
  faultName,
  refusal,
  unanswered,
  unknown,
  warn,
} from '../bank/call-bank.ts';
import { oauthRefusalCode } from '../consents/read-return.ts';
import { ownCode } from '../messages/bank-errors.ts';
import { readConsentStatus } from '../messages/payment-status.ts';
import { readErrorCode } from '../messages/read-payment-answers.ts';
import { objectAt, readTime, textOf } from '../messages/read-values.ts';
import { type AccountState, okWith, tokensOf } from './create-account-consent.ts';
import { rateLimited } from './limits.ts';

export const readAccountConsent = async (
  bank: Bank,
  state: AccountState,
): Promise<AccountConsentStatusOutcome> => {
  const answer = await callAsClient(bank, {
    api: 'accounts',
    operation: 'read account consent',
    path: consentPath(state),
    interactionId: state.interactionId,
  });
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.status === 429) return rateLimited(bank, answer.retryAfter);
  if (answer.status === 400 || answer.status === 404) {
    const code = readErrorCode(answer.body);
    return code === null ? unknown('The bank gave no reason.') : refusal(code);
  }
  if (answer.status !== 200) return answeredWith(answer.status);
  const data = objectAt(answer.body, 'Data');
  const status = readConsentStatus(textOf(data, 'Status') ?? '');
  if (!status || status === 'CONSUMED' || textOf(data, 'ConsentId') !== state.consentId)
    return unknown('The answer of the bank is not this consent.');
  return { kind: 'OK', status, changedAt: readTime(textOf(data, 'StatusUpdateDateTime')) };
};

const consentPath = ({ consentId }: AccountState): string =>
  `/account-access-consents/${encodeURIComponent(consentId)}`;

/** What an answer without data means. A bank's word that a consent ended is checked with the bank. */
export const classifyAccountAnswer = async (
  bank: Bank,
  state: AccountState,
  answer: BankAnswer,
): Promise<NotRead> => {
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  const { status } = answer;
  if (status === 429) return rateLimited(bank, answer.retryAfter);
  if (status === 401) return { kind: 'TOKEN_ENDED' };
  if (![400, 403, 404, 409, 422].includes(status)) return answeredWith(status);
  return classifyRefused(bank, state, status, readErrorCode(answer.body));
};

const classifyRefused = async (
  bank: Bank,
  state: AccountState,
  status: number,
  code: string | null,
): Promise<NotRead> => {
  const own = code && ownCode(code);
  if (own === codes.loginDemanded) return loginNeeded;
  if (status === 403 || own === codes.consentStatus) {
    const ended = await findConsentEnd(bank, state);
    if (ended) return ended;
  }
  if (code !== null && own !== codes.unexpected) return refusal(code);
  return unknown(`The bank answered with status ${status} and no reason.`);
};

/** Null: it has not ended, or the bank does not say. */
const findConsentEnd = async (
  bank: Bank,
  state: AccountState,
): Promise<ConsentEnded | Unknown | RateLimited | null> => {
  const consent = await readAccountConsent(bank, state);
  switch (consent.kind) {
    case 'OK':
      if (consent.status === 'EXPIRED') return { kind: 'CONSENT_ENDED', reason: 'EXPIRED' };
      if (consent.status === 'REVOKED' || consent.status === 'REJECTED')
        return { kind: 'CONSENT_ENDED', reason: 'REVOKED' };
      return null;
    case 'REFUSED':
      // The bank does not know it any more: it was deleted there.
      return { kind: 'CONSENT_ENDED', reason: 'REVOKED' };
    default:
      return consent;
  }
};

const codes = {
  unexpected: 'U000',
  consentStatus: 'U009',
  notFound: 'U011',
  loginDemanded: 'U028',
} as const;

export const refreshAccountTokens = async (
  bank: Bank,
  state: AccountState,
): Promise<TokensOutcome> => {
  const { tokens } = state;
  if (!tokens) return unknown('This link has no tokens yet.');
  if (tokens.refresh === null) return loginNeeded;
  try {
    const { configuration } = await bank.discovered.get();
    const granted = await genericGrantRequest(configuration, 'refresh_token', {
      refresh_token: tokens.refresh,
    });
    return okWith(state, tokensOf(bank, granted, tokens));
  } catch (error) {
    const refused = oauthRefusalCode(error);
    const why = refused ?? faultName(error);
    warn(bank, state.interactionId, 'refresh tokens', why, 'bank gave no token');
    const response = responseOf(error);
    if (response?.status === 429)
      return rateLimited(bank, response.headers.get('retry-after') ?? undefined);
    if (refused === 'invalid_grant') return (await findConsentEnd(bank, state)) ?? loginNeeded;
    return refused ? refusal(refused) : unanswered(why);
  }
};

/** With or without an error of OAuth in its body. */
const responseOf = (error: unknown): Response | null => {
  if (error instanceof ResponseBodyError) return error.response;
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Response ? cause : null;
};

const loginNeeded: ConsentEnded = { kind: 'CONSENT_ENDED', reason: 'REAUTHENTICATION_NEEDED' };

export const revokeAccountConsent = async (
  bank: Bank,
  state: AccountState,
): Promise<RevokeOutcome> => {
  const answer = await callAsClient(bank, {
    api: 'accounts',
    operation: 'revoke account consent',
    method: 'DELETE',
    path: consentPath(state),
    interactionId: state.interactionId,
  });
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.status === 204 || answer.status === 200) return { kind: 'REVOKED' };
  if (answer.status === 429) return rateLimited(bank, answer.retryAfter);
  const code = answer.status < 500 ? readErrorCode(answer.body) : null;
  const own = code && ownCode(code);
  // Gone already: a repeat of our own call, or deleted by the bank.
  if (own === codes.consentStatus || own === codes.notFound) return { kind: 'REVOKED' };
  return code ? refusal(code) : answeredWith(answer.status);
};
