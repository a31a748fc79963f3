import { genericGrantRequest, ResponseBodyError } from 'openid-client';
import type { ConsentEnded, TokensOutcome } from '#rails/bank-data-rail.ts';
import type { Bank } from '../bank/bank.ts';
import { faultName } from '../bank/call-bank.ts';
import { refusal, unanswered, unknown } from '../bank/classify-refusal.ts';
import { oauthRefusalCode } from '../consents/oauth-refusal-code.ts';
import type { AccountState } from './account-state.ts';
import { findConsentEnd } from './classify-account-answer.ts';
import { rateLimited } from './rate-limited.ts';
import { okWith, tokensOf } from './tokens-of.ts';

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
    const line = { bank: bank.profile.id, operation: 'refresh tokens', why };
    bank.tools.log.warn({ ...line, interactionId: state.interactionId }, 'bank gave no token');
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
