import { createHash } from 'node:crypto';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { limits } from '#simulator/limits.ts';
import { consentStanding, isAccountConsent } from '../accounts/account-consents.ts';
import type { BankTools } from '../bank.ts';
import type { BankProfile } from '../banks.ts';
import { magicOf } from '../magic-logins.ts';
import { mayBeAuthorised } from '../payments/payment-consents.ts';
import { loadOidcProvider } from './load-oidc-provider.ts';

type Parts = { readonly bank: BankProfile; readonly tools: BankTools };
type Use = { readonly kind: string | undefined; readonly context: KoaContextWithOIDC };

// The subject of a token is the consent it was given for, as at most banks. None: it has ended.
export const findSubject = async (parts: Parts, consentId: string, { kind, context }: Use) => {
  const { errors } = await loadOidcProvider();
  const found = await findConsent(parts, consentId);
  if (!found) return undefined;
  const isExchange = kind === 'AuthorizationCode';
  if (isExchange && parts.bank.wire.wantsScopeWithCode && !context.oidc.body?.scope) {
    throw new errors.InvalidRequest('scope is missing');
  }
  if (isExchange && magicOf(found.login).token === 'refuse') {
    throw new errors.InvalidGrant('the bank does not exchange this code');
  }
  return {
    accountId: consentId,
    claims: async () => ({
      sub: consentId,
      openbanking_intent_id: consentId,
      customer: customerOf(found.login),
      ...(found.refreshEndsAt && { [refreshEndClaim]: found.refreshEndsAt }),
    }),
  };
};

const findConsent = async ({ bank, tools }: Parts, id: string) => {
  if (!isAccountConsent(id)) {
    const consent = await tools.store.findConsent(bank.id, id);
    return consent && { login: consent.login, refreshEndsAt: undefined };
  }
  const consent = await tools.store.findAccountConsent(bank.id, id);
  const now = tools.clock.now();
  if (!consent || consent.demandsLogin || consentStanding(consent, now) !== 'AUTH')
    return undefined;
  const endsAt = consent.expiresAt ?? now + refreshTokenLifetimeSeconds * 1000;
  return { login: consent.login, refreshEndsAt: Math.floor(endsAt / 1000) };
};

const customerOf = (login = ''): string =>
  createHash('sha256').update(`customer ${login}`).digest('hex').slice(0, 20);

export const refreshEndClaim = 'http://openbanking.org.uk/refresh_token_expires_at';
export const refreshTokenLifetimeSeconds = 400 * 24 * 60 * 60;

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
  const isForAccounts = String(claims.scope ?? '')
    .split(' ')
    .includes('accounts');
  const consent = isForAccounts
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
