import { limits } from '#simulator/limits.ts';
import { mayBeAuthorised } from '../payments/may-be-authorised.ts';
import type { BankTools } from '../ports.ts';

type Claims = Readonly<Record<string, unknown>>;

// FAPI 1.0 Advanced 5.2.2: nbf is required and exp at most an hour after it; and the standard's own
// rule that the request names a consent which waits to be authorised.
export const assertRequestObject = async (
  tools: BankTools,
  bankId: string,
  claims: Claims,
  invalid: (reason: string) => Error,
): Promise<void> => {
  const { nbf, exp } = claims;
  if (typeof nbf !== 'number') throw invalid('nbf is missing');
  if (typeof exp !== 'number' || exp - nbf > limits.requestObjectSeconds) {
    throw invalid('exp must be within 60 minutes of nbf');
  }
  const consentId = intentOf(claims.claims);
  if (consentId === undefined) throw invalid('claims name no openbanking_intent_id');
  const scopes = String(claims.scope ?? '').split(' ');
  const consent = scopes.includes('accounts')
    ? await tools.store.findAccountConsent(bankId, consentId)
    : await tools.store.findConsent(bankId, consentId);
  if (!mayBeAuthorised(consent, tools.clock.now())) {
    throw invalid('the consent does not exist or does not await authorisation');
  }
};

export const intentOf = (claims: unknown): string | undefined => {
  const parsed: unknown = typeof claims === 'string' ? JSON.parse(claims) : claims;
  const { id_token: idToken } = (parsed ?? {}) as { id_token?: Record<string, unknown> };
  const intent = idToken?.openbanking_intent_id as { value?: unknown } | undefined;
  return typeof intent?.value === 'string' ? intent.value : undefined;
};
