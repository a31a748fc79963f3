import type { Bank, BankTools } from '../bank.ts';
import type {
  AccountConsent,
  AccountConsentTerms,
  AccountWithBalance,
  StandardVersion,
} from '../model.ts';
import { badRequest, forbidden, Refusal } from '../refusal.ts';

// Account consents have no idempotency key: each call creates another.
export const createAccountConsent = async (
  { profile, tools }: Bank,
  clientId: string,
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
    bankId: profile.id,
    id: `${idPrefix}${tools.random.id()}`,
    clientId,
    status: 'AWAU',
    createdAt: now,
    statusUpdatedAt: now,
    accountIds: [],
    demandsLogin: false,
    clockOffsetMs: 0,
  };
  await tools.store.createAccountConsent(consent);
  return consent;
};

const idPrefix = 'aac-';

export const isAccountConsent = (id: string): boolean => id.startsWith(idPrefix);

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
  // Of these there is nothing to read but the holder of an account.
  ...['ReadBeneficiariesBasic', 'ReadBeneficiariesDetail', 'ReadDirectDebits', 'ReadOffers'],
  ...['ReadScheduledPaymentsBasic', 'ReadScheduledPaymentsDetail', 'ReadParty', 'ReadPartyPSU'],
  ...['ReadStandingOrdersBasic', 'ReadStandingOrdersDetail'],
  ...['ReadStatementsBasic', 'ReadStatementsDetail'],
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

export type SharedQuery = {
  readonly bankId: string;
  readonly consentId: string;
  readonly version: StandardVersion;
  // At least one of them must have been granted.
  readonly permissions: readonly string[];
};

type Shared = {
  readonly consent: AccountConsent;
  readonly accounts: readonly AccountWithBalance[];
};

// What the customer shares under this consent, or why the bank shows nothing.
export const openSharedAccounts = async (
  { store, clock }: BankTools,
  query: SharedQuery,
): Promise<Shared> => {
  const consent = await store.findAccountConsent(query.bankId, query.consentId);
  if (consent?.version !== query.version) {
    throw forbidden('The consent was not given under this version of the standard.');
  }
  const standing = consentStanding(consent, clock.now());
  if (standing !== 'AUTH') {
    throw badRequest('U009', `The consent has status ${standing}, not AUTH.`, 'ConsentId');
  }
  if (consent.demandsLogin) throw mustLogIn();
  if (!query.permissions.some((name) => consent.permissions.includes(name))) {
    throw forbidden('The customer did not allow this.');
  }
  return {
    consent,
    accounts: await store.accountsById(query.bankId, consent.accountIds, clock.now()),
  };
};

export const mustLogIn = (): Refusal =>
  new Refusal(403, [{ code: 'U028', message: 'The customer must log in again.' }]);

const dayMs = 86_400_000;

// A call without the customer's address counts; the day is the one of the consent's clock.
export const countUnattendedCall = async (
  { profile, tools }: Bank,
  consent: AccountConsent,
  subject: string,
): Promise<void> => {
  const allowed = profile.statement.unattendedCalls;
  if (allowed === undefined) return;
  const at = tools.clock.now() + consent.clockOffsetMs;
  const calls = await tools.store.countUnattended(profile.id, consent.id, subject, at);
  if (calls <= allowed) return;
  const secondsLeft = Math.ceil((dayMs - (at % dayMs)) / 1000);
  throw new Refusal(429, [], { 'retry-after': String(secondsLeft) });
};
