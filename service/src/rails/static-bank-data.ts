import { pence } from '#kernel/pence.ts';
import type {
  AccountConsentOrder,
  BankDataAccount,
  BankDataBalance,
  BankDataParty,
  BankDataRail,
  BankDataTransaction,
  TransactionPage,
} from './bank-data-rail.ts';
import type { Institution, Refusal, ReturnOutcome, ReturnParameters } from './bank-rail.ts';

/** A transaction of each month of the first quarter of 2026; pence are negative when money goes out. */
type MonthlyTransaction = readonly [
  day: number,
  pence: number,
  description: string,
  category: string,
  party: string | null,
];

const everyMonth: readonly MonthlyTransaction[] = [
  [1, -95_000, 'RENT', 'Payments', 'Harbour Lettings'],
  [2, -3_420, 'CITY ENERGY', 'Payments', 'City Energy'],
  [3, -1_285, 'CORNER COFFEE', 'Card', 'Corner Coffee'],
  [5, -4_712, 'GREEN GROCERS', 'Card', 'Green Grocers'],
  [6, -1_050, 'METRO RAIL', 'Card', 'Metro Rail'],
  [8, -2_000, 'CASH LEEDS', 'ATM', null],
  [9, -1_599, 'BOOKS ONLINE', 'Card', 'Books Online'],
  [11, -5_236, 'GREEN GROCERS', 'Card', 'Green Grocers'],
  [12, 2_500, 'SAM TAYLOR DINNER', 'Transfers', 'Sam Taylor'],
  [14, -875, 'CORNER COFFEE', 'Card', 'Corner Coffee'],
  [15, -1_200, 'PHONE CO', 'Payments', 'Phone Co'],
  [17, -10_000, 'SAVINGS', 'Transfers', 'Mock Customer'],
  [19, -4_398, 'GREEN GROCERS', 'Card', 'Green Grocers'],
  [20, -2_750, 'CINEMA', 'Card', 'Star Cinema'],
  [22, -1_285, 'CORNER COFFEE', 'Card', 'Corner Coffee'],
  [24, 1_899, 'REFUND SHOE SHOP', 'Card', 'Shoe Shop'],
  [25, 215_000, 'SALARY', 'Payments', 'Example Employer'],
  [26, -6_150, 'GREEN GROCERS', 'Card', 'Green Grocers'],
  [27, -3_000, 'CASH LEEDS', 'ATM', null],
  [28, -2_245, 'METRO RAIL', 'Card', 'Metro Rail'],
];

const savings: readonly MonthlyTransaction[] = [
  [17, 10_000, 'FROM CURRENT ACCOUNT', 'Transfers', 'Mock Customer'],
  [28, 1_015, 'INTEREST', 'Interest', null],
];

const months = ['2026-01', '2026-02', '2026-03'];

const text = (pence: number): string => {
  const digits = String(Math.abs(pence)).padStart(3, '0');
  return `${pence < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

const partyOf = (name: string | null): BankDataParty | null =>
  name === null ? null : { name, sortCode: '107999', accountNumber: '88837491' };

const madeOf = (
  accountId: string,
  opening: number,
  happenings: readonly MonthlyTransaction[],
): readonly BankDataTransaction[] => {
  let balance = opening;
  const all = months.flatMap((month) =>
    happenings.map(([day, pence, description, category, party], at) => {
      balance += pence;
      const date = `${month}-${String(day).padStart(2, '0')}`;
      return transactionOf(`${accountId}-${date}-${at}`, `${date} 10:00Z`, {
        ...{ pence, description, category, party, balance },
        isPending: false,
      });
    }),
  );
  return all.reverse();
};

type Parts = {
  readonly pence: number;
  readonly description: string;
  readonly category: string;
  readonly party: string | null;
  readonly balance: number | null;
  readonly isPending: boolean;
};

const transactionOf = (id: string, bookedAt: string, parts: Parts): BankDataTransaction => {
  const isCredit = parts.pence > 0;
  const party = partyOf(parts.party);
  return {
    bankTransactionId: id,
    fingerprint: id,
    bookedAt: new Date(bookedAt),
    valueAt: null,
    type: isCredit ? 'CREDIT' : 'DEBIT',
    amount: text(Math.abs(parts.pence)),
    currency: 'GBP',
    status: parts.isPending ? 'PENDING' : 'BOOKED',
    isMutable: false,
    description: parts.description,
    reference: parts.category === 'Card' ? null : parts.description,
    merchantName: parts.category === 'Card' ? parts.party : null,
    category: parts.category,
    payer: isCredit ? party : null,
    payee: isCredit ? null : party,
    balance: parts.balance === null ? null : { amount: text(parts.balance), currency: 'GBP' },
  };
};

const pending = (at: number, pence: number, description: string): BankDataTransaction =>
  transactionOf(`mock-current-pending-${at}`, `2026-03-3${at} 18:30Z`, {
    ...{ pence, description, category: 'Card', party: null },
    balance: null,
    isPending: true,
  });

/** By account, the newest first: 62 and 6. */
const staticTransactions: ReadonlyMap<string, readonly BankDataTransaction[]> = new Map([
  [
    'mock-current',
    [
      pending(1, -1_450, 'CORNER COFFEE'),
      pending(0, -3_999, 'SHOE SHOP'),
      ...madeOf('mock-current', 150_000, everyMonth),
    ],
  ],
  ['mock-savings', madeOf('mock-savings', 500_000, savings)],
]);

type StaticAccount = { readonly shown: BankDataAccount; readonly balance: BankDataBalance };

const balance = (amount: string): BankDataBalance => ({
  amount,
  currency: 'GBP',
  balanceType: 'ITAV',
  at: new Date('2026-03-31T22:00:00Z'),
});

/** Sort codes and numbers are published test numbers, which belong to no person. */
const staticAccounts: readonly StaticAccount[] = [
  {
    shown: {
      accountId: 'mock-current',
      sortCode: '089999',
      accountNumber: '66374958',
      name: 'Mock Customer',
      currency: 'GBP',
      holder: 'PERSONAL',
      accountType: 'CACC',
      isOpen: true,
    },
    balance: balance('3641.33'),
  },
  {
    shown: {
      accountId: 'mock-savings',
      sortCode: '107999',
      accountNumber: '88837491',
      name: 'Mock Customer',
      currency: 'GBP',
      holder: 'PERSONAL',
      accountType: 'SVGS',
      isOpen: true,
    },
    balance: balance('5330.45'),
  },
];

const staticBankId = 'mock-sandbox-v1';

type StaticBankData = BankDataRail & { readonly isStatic: true };

const bank: Institution = {
  id: staticBankId,
  name: 'Mock',
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
