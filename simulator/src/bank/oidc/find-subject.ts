import { createHash } from 'node:crypto';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { consentStanding } from '../accounts/consent-standing.ts';
import type { BankProfile } from '../banks.ts';
import { magicOf } from '../magic-logins.ts';
import type { BankTools } from '../ports.ts';
import { loadOidcProvider } from './load-oidc-provider.ts';

type Parts = { readonly bank: BankProfile; readonly tools: BankTools };
type Use = { readonly kind: string | undefined; readonly context: KoaContextWithOIDC };

// The subject of a token is the consent it was given for, as at most banks. None: it has ended.
export const findSubject = async (parts: Parts, consentId: string, { kind, context }: Use) => {
  const { errors } = await loadOidcProvider();
  const found = (await findPayment(parts, consentId)) ?? (await findAccounts(parts, consentId));
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

type Found = { readonly login: string | undefined; readonly refreshEndsAt: number | undefined };

const findPayment = async (parts: Parts, id: string): Promise<Found | undefined> => {
  const consent = await parts.tools.store.findConsent(parts.bank.id, id);
  return consent && { login: consent.login, refreshEndsAt: undefined };
};

const findAccounts = async (parts: Parts, id: string): Promise<Found | undefined> => {
  const { store, clock } = parts.tools;
  const consent = await store.findAccountConsent(parts.bank.id, id);
  if (!consent || consent.demandsLogin) return undefined;
  const now = clock.now();
  if (consentStanding(consent, now) !== 'AUTH') return undefined;
  const endsAt = consent.expiresAt ?? now + refreshTokenLifetimeSeconds * 1000;
  return { login: consent.login, refreshEndsAt: Math.floor(endsAt / 1000) };
};

const customerOf = (login = ''): string =>
  createHash('sha256').update(`customer ${login}`).digest('hex').slice(0, 20);

export const refreshEndClaim = 'http://openbanking.org.uk/refresh_token_expires_at';
export const refreshTokenLifetimeSeconds = 400 * 24 * 60 * 60;
