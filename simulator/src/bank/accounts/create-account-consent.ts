import type { BankTools, Caller } from '../ports.ts';
import { badRequest } from '../refusal.ts';
import { checkPermissions } from './check-permissions.ts';
import type { AccountConsent, AccountConsentTerms } from './model.ts';

// Account consents have no idempotency key: each call creates another.
export const createAccountConsent = async (
  tools: BankTools,
  caller: Caller,
  terms: AccountConsentTerms,
): Promise<AccountConsent> => {
  checkPermissions(terms.permissions);
  const now = tools.clock.now();
  if (terms.expiresAt !== undefined && terms.expiresAt <= now) {
    throw badRequest('U003', 'The consent would have expired already.', 'Data.ExpirationDateTime');
  }
  const consent: AccountConsent = {
    ...terms,
    permissions: [...new Set(terms.permissions)],
    bankId: caller.bank.id,
    id: `aac-${tools.random.id()}`,
    clientId: caller.clientId,
    status: 'AWAU',
    createdAt: now,
    statusUpdatedAt: now,
    login: undefined,
    interactionId: undefined,
    accountIds: [],
    demandsLogin: false,
    clockOffsetMs: 0,
  };
  await tools.store.createAccountConsent(consent);
  return consent;
};
