import { pence } from '#kernel/pence.ts';
import type {
  AccountConsentOrder,
  BankDataRail,
  BankDataTransaction,
  TransactionPage,
} from '../bank-data-rail.ts';
import type { Institution, Refusal, ReturnOutcome, ReturnParameters } from '../bank-rail.ts';
import { staticAccounts } from './static-accounts.ts';
import { staticTransactions } from './static-transactions.ts';

export const staticBankId = 'mock-sandbox-v1';

export type StaticBankData = BankDataRail & { readonly isStatic: true };

const bank: Institution = {
  id: staticBankId,
  name: staticBankId,
  fullName: 'Test bank with the same data on every run',
  kind: 'both',
  colour: '#3b4a5a',
  limitPence: pence(0n) as Institution['limitPence'],
  isEnabled: true,
  isPopular: true,
  countryCode: 'GB',
};

const pageSize = 25;
const yearMs = 365 * 24 * 60 * 60 * 1000;

/**
 * The bank of the sandbox that always shows the same accounts (FEED-5). It needs no network: a page of
 * ours, at `loginUrl`, stands for its login, and the outcome comes back in the query.
 */
export const staticBankData = (
  tools: { readonly now: () => Date },
  loginUrl: string,
): StaticBankData => ({
  isStatic: true,
  institutions: () => [bank],
  createConsent: async (order) => createConsent(order, loginUrl),
  readReturn: async (state, parameters) => readReturn(state, parameters),
  exchange: async (state, code) =>
    code === approvedCode ? tokens(tools.now(), state) : refused('CODE_UNKNOWN'),
  refreshTokens: async (state) => tokens(tools.now(), state),
  readAccounts: async () => ({ kind: 'OK', accounts: staticAccounts.map(({ shown }) => shown) }),
  readBalance: async (_, accountId) => {
    const account = staticAccounts.find(({ shown }) => shown.accountId === accountId);
    return account ? { kind: 'OK', balance: account.balance } : refused('ACCOUNT_UNKNOWN');
  },
  readTransactions: async (_, page) => {
    const all = staticTransactions.get(page.accountId);
    return all ? readPage(all, page) : refused('ACCOUNT_UNKNOWN');
  },
  readConsent: async () => ({ kind: 'OK', status: 'AUTHORISED', changedAt: null }),
  revoke: async () => ({ kind: 'REVOKED' }),
});

const approvedCode = 'approved';

const createConsent = (order: AccountConsentOrder, loginUrl: string) => ({
  kind: 'CREATED' as const,
  state: JSON.stringify({ v: 1, oauthState: order.oauthState }),
  reference: `static-${order.oauthState.slice(0, 12)}`,
  authorisationUrl: `${loginUrl}?${new URLSearchParams({ state: order.oauthState })}`,
  interactionId: `static-${order.oauthState.slice(0, 12)}`,
});

const readReturn = (state: string, parameters: ReturnParameters): ReturnOutcome => {
  const { oauthState } = JSON.parse(state) as { readonly oauthState: string };
  if (parameters.state !== oauthState)
    return { kind: 'INVALID', description: 'The return belongs to another consent.' };
  if (parameters.code === approvedCode) return { kind: 'AUTHORISED', code: approvedCode, state };
  const byPayer = parameters.error === 'access_denied';
  return {
    kind: 'DECLINED',
    byPayer,
    code: byPayer ? 'ACCESS_DENIED' : 'BANK_REFUSED',
    description: byPayer ? 'The customer declined.' : 'The bank refused.',
  };
};

const tokens = (now: Date, state: string) => ({
  kind: 'OK' as const,
  state,
  accessEndsAt: new Date(now.getTime() + yearMs),
  refreshEndsAt: null,
});

const refused = (code: string): Refusal => ({
  kind: 'REFUSED',
  code,
  description: 'The test bank does not know this.',
});

const readPage = (all: readonly BankDataTransaction[], { from, to, cursor }: TransactionPage) => {
  const meant = all.filter(({ bookedAt }) => bookedAt >= from && bookedAt <= to);
  const begin = Number(cursor ?? 0);
  const end = begin + pageSize;
  return {
    kind: 'OK' as const,
    transactions: meant.slice(begin, end),
    nextCursor: end < meant.length ? String(end) : null,
    gap: null,
  };
};
