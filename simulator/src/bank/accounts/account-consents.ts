import type { BankProfile } from '../banks.ts';
import type { Account, BankTools, Caller } from '../ports.ts';
import { badRequest, forbidden, Refusal } from '../refusal.ts';
import type { AccountConsent, AccountConsentTerms, StandardVersion } from './model.ts';

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

const path = 'Data.Permissions';

// What these banks offer: the standard's other permissions are refused, as at most banks.
const offered: ReadonlySet<string> = new Set([
  'ReadAccountsBasic',
  'ReadAccountsDetail',
  'ReadBalances',
  'ReadTransactionsBasic',
  'ReadTransactionsCredits',
  'ReadTransactionsDebits',
  'ReadTransactionsDetail',
]);

const checkPermissions = (permissions: readonly string[]): void => {
  const unknown = permissions.find((name) => !offered.has(name));
  if (unknown !== undefined) throw wrong(`This bank does not offer ${unknown}.`);
  const has = (...names: readonly string[]) => names.some((name) => permissions.includes(name));
  if (!has('ReadAccountsBasic', 'ReadAccountsDetail')) {
    throw wrong('ReadAccountsBasic or ReadAccountsDetail is required.');
  }
  const level = has('ReadTransactionsBasic', 'ReadTransactionsDetail');
  const side = has('ReadTransactionsCredits', 'ReadTransactionsDebits');
  if (level && !side) throw wrong('Transactions need credits, debits or both.');
  if (side && !level) throw wrong('Credits and debits need the basic or detailed transactions.');
};

const wrong = (message: string): Refusal => badRequest('U002', message, path);

export type ConsentStanding = AccountConsent['status'] | 'EXPD';

// On the consent's own clock, which control calls may move.
export const consentStanding = (consent: AccountConsent, realNow: number): ConsentStanding => {
  const { status, expiresAt, clockOffsetMs } = consent;
  const mayExpire = status === 'AWAU' || status === 'AUTH';
  const hasExpired = expiresAt !== undefined && expiresAt <= realNow + clockOffsetMs;
  return mayExpire && hasExpired ? 'EXPD' : status;
};

type SharedAccounts = {
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

const dayMs = 86_400_000;

// A call without the customer's address counts; the day is the one of the consent's clock.
export const countUnattendedCall = async (
  tools: BankTools,
  bank: BankProfile,
  consent: AccountConsent,
  subject: string,
): Promise<void> => {
  const allowed = bank.statement.unattendedCalls;
  if (allowed === undefined) return;
  const at = tools.clock.now() + consent.clockOffsetMs;
  const call = { bankId: bank.id, consentId: consent.id, subject, at };
  if ((await tools.store.countUnattended(call)) <= allowed) return;
  const secondsLeft = Math.ceil((dayMs - (at % dayMs)) / 1000);
  throw tooManyCalls(secondsLeft);
};

const tooManyCalls = (seconds: number): Refusal =>
  new Refusal(429, [], { 'retry-after': String(seconds) });
