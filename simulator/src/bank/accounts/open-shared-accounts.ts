import type { Account, BankTools } from '../ports.ts';
import { badRequest, forbidden, Refusal } from '../refusal.ts';
import { consentStanding } from './consent-standing.ts';
import type { AccountConsent, StandardVersion } from './model.ts';

export type SharedAccounts = {
  readonly consent: AccountConsent;
  readonly accounts: readonly Account[];
};

export type SharedQuery = {
  readonly bankId: string;
  readonly consentId: string;
  readonly version: StandardVersion;
  // At least one of them must have been granted.
  readonly permissions: readonly string[];
};

// What the customer shares under this consent, or why the bank shows nothing.
export const openSharedAccounts = async (
  tools: BankTools,
  query: SharedQuery,
): Promise<SharedAccounts> => {
  const consent = await tools.store.findAccountConsent(query.bankId, query.consentId);
  if (consent?.version !== query.version) {
    throw forbidden('The consent was not given under this version of the standard.');
  }
  const standing = consentStanding(consent, tools.clock.now());
  if (standing !== 'AUTH') {
    throw badRequest('U009', `The consent has status ${standing}, not AUTH.`, 'ConsentId');
  }
  if (consent.demandsLogin) throw mustLogIn();
  if (!query.permissions.some((name) => consent.permissions.includes(name))) {
    throw forbidden('The customer did not allow this.');
  }
  const accounts = await tools.store.accountsById(query.bankId, consent.accountIds);
  return { consent, accounts };
};

export const openSharedAccount = async (
  tools: BankTools,
  query: SharedQuery,
  accountId: string,
): Promise<{ readonly consent: AccountConsent; readonly account: Account }> => {
  const { consent, accounts } = await openSharedAccounts(tools, query);
  const account = accounts.find(({ id }) => id === accountId);
  if (!account) throw badRequest('U011', 'There is no such account.', 'AccountId');
  return { consent, account };
};

export const mustLogIn = (): Refusal =>
  new Refusal(403, [{ code: 'U028', message: 'The customer must log in again.' }]);
