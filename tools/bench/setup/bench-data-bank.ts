import type { DataRail } from '../../../service/src/modules/bank-feed/index.ts';
import type { BankDataTransaction } from '../../../service/src/rails/bank-data-rail.ts';
import type { Institution } from '../../../service/src/rails/bank-rail.ts';
import type { PayerRail } from '../../../service/src/rails/payer-rail.ts';

const id = 'bench-bank';
const pageSize = 1_000;
const overlap = 10;
const newest = Date.UTC(2026, 5, 30);
const spanMs = 700 * 24 * 60 * 60 * 1000;
const hourMs = 3_600_000;

/** A bank in memory with so many transactions over two years; every second one has no id. */
export const benchDataBank = (transactions: number) => {
  let listed = 0;
  let isStatic = false;
  const all = Array.from({ length: transactions }, (_, at) => entry(at, transactions));
  const tokens = (state: string) => ({
    kind: 'OK' as const,
    state,
    accessEndsAt: new Date(newest + 10 * spanMs),
    refreshEndsAt: null,
  });
  const rail: DataRail = {
    get isStatic() {
      return isStatic;
    },
    institutions: () => [institution],
    createConsent: async ({ oauthState }) => ({
      kind: 'CREATED',
      state: '{}',
      reference: id,
      authorisationUrl: `https://bank.example/?state=${oauthState}`,
      interactionId: id,
    }),
    readReturn: async (state) => ({ kind: 'AUTHORISED', code: 'code', state }),
    exchange: async (state) => tokens(state),
    refreshTokens: async (state) => tokens(state),
    readAccounts: async () => ({ kind: 'OK', accounts: [account] }),
    readBalance: async () => ({ kind: 'OK', balance: null }),
    readTransactions: async (_, { cursor }) => {
      const begin = Number(cursor ?? 0);
      const page = all.slice(Math.max(begin - overlap, 0), begin + pageSize);
      listed += page.length;
      const end = begin + pageSize;
      return {
        kind: 'OK',
        transactions: page,
        nextCursor: end < all.length ? String(end) : null,
        gap: null,
      };
    },
    readConsent: async () => ({ kind: 'OK', status: 'AUTHORISED', changedAt: null }),
    revoke: async () => ({ kind: 'REVOKED' }),
  };
  const payer: PayerRail = {
    visitBank: async (authorisationUrl) => ({
      state: new URL(authorisationUrl).searchParams.get('state') ?? '',
      code: 'code',
    }),
    payByCard: async () => ({ kind: 'CLOSED' }),
  };
  return {
    id,
    rail,
    payer,
    listed: () => listed,
    /** From now on it changes no more. */
    rest: () => {
      isStatic = true;
    },
  };
};

const institution: Institution = {
  id,
  name: id,
  fullName: id,
  kind: 'both',
  colour: '#123456',
  limitPence: 0n as Institution['limitPence'],
  isEnabled: true,
  isPopular: false,
  countryCode: 'GB',
};

const account = {
  accountId: 'bench',
  sortCode: '200000',
  accountNumber: '12345678',
  name: 'Bench',
  currency: 'GBP',
  holder: 'PERSONAL',
  accountType: 'CACC',
  isOpen: true,
} as const;

/** Three in a row agree in everything, as three coffees do that are bought in an hour. */
const entry = (at: number, transactions: number): BankDataTransaction => {
  const step = spanMs / transactions;
  const bookedMs = newest - Math.floor(((at - (at % 3)) * step) / hourMs) * hourMs;
  const party = { name: `Customer ${at % 977}`, sortCode: '107999', accountNumber: '88837491' };
  const isCredit = at % 5 === 0;
  return {
    bankTransactionId: at % 2 === 0 ? `bench-${at}` : null,
    fingerprint: `${bookedMs} ${at % 7}`,
    bookedAt: new Date(bookedMs),
    valueAt: null,
    type: isCredit ? 'CREDIT' : 'DEBIT',
    amount: `${at % 300}.50`,
    currency: 'GBP',
    status: 'BOOKED',
    isMutable: false,
    description: `Payment number ${at % 7} of a customer`,
    reference: `REF ${at}`,
    merchantName: null,
    category: 'Payments',
    payer: isCredit ? party : null,
    payee: isCredit ? null : party,
    balance: { amount: `${at}.00`, currency: 'GBP' },
  };
};
