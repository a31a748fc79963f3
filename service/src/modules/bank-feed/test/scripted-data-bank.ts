import type {
  BankDataAccount,
  BankDataRail,
  BankDataTransaction,
  RevokeOutcome,
  TransactionGap,
  TransactionPage,
  TransactionsOutcome,
} from '../../../rails/bank-data-rail.ts';
import type { Institution } from '../../../rails/bank-rail.ts';

const institutionOf = (id: string, isEnabled = true): Institution => ({
  id,
  name: id,
  fullName: id,
  kind: 'both',
  colour: '#123456',
  limitPence: 0n as Institution['limitPence'],
  isEnabled,
  isPopular: false,
  countryCode: 'GB',
});

const accountOf = (accountId: string, accountNumber: string): BankDataAccount => ({
  accountId,
  sortCode: '200000',
  accountNumber,
  name: 'Ada Lovelace',
  currency: 'GBP',
  holder: 'PERSONAL',
  accountType: 'CACC',
  isOpen: true,
});

type Answers = {
  /** One page each. */
  pages: BankDataTransaction[][];
  accounts: BankDataAccount[];
  /** Instead of a page, once each; null: the page. */
  failures: (TransactionsOutcome | null)[];
  exchange: 'OK' | 'UNKNOWN';
  consent: 'CREATED' | 'UNKNOWN';
  readAccounts: 'OK' | 'UNKNOWN';
  revoke: RevokeOutcome;
  gap: TransactionGap | null;
  /** Lists the range that is asked; else all of the page. */
  honoursRange: boolean;
  /** An access token lives so long. */
  accessMs: number;
  refreshTokens: 'OK' | 'REFUSED';
  /** Resolves when the bank may answer. */
  hangs: Promise<void> | null;
};

/** A bank in memory that answers what a test tells it, and keeps what it was calls. */
export const scriptedDataBank = (id = 'scripted-bank') => {
  const plain = (): Answers => ({
    pages: [[]],
    accounts: [accountOf('one', '11111111'), accountOf('two', '22222222')],
    failures: [],
    exchange: 'OK',
    consent: 'CREATED',
    readAccounts: 'OK',
    revoke: { kind: 'REVOKED' },
    gap: null,
    honoursRange: false,
    accessMs: 3_600_000,
    refreshTokens: 'OK',
    hangs: null,
  });
  const answers = plain();
  const calls: string[] = [];
  const ranges: TransactionPage[] = [];
  const unknown = { kind: 'UNKNOWN', description: 'No answer.' } as const;
  let tokens = 0;
  const tokensOf = (state: string) => {
    tokens += 1;
    return {
      kind: 'OK' as const,
      state: JSON.stringify({ ...JSON.parse(state), token: tokens }),
      accessEndsAt: new Date(Date.now() + answers.accessMs),
      refreshEndsAt: null,
    };
  };
  const isEnded = (state: string): boolean => (JSON.parse(state).token ?? 0) !== tokens;
  const rail: BankDataRail = {
    institutions: () => [institutionOf(id), institutionOf(`${id}-down`, false)],
    createConsent: async ({ oauthState }) => {
      calls.push('createConsent');
      if (answers.consent !== 'CREATED') return unknown;
      return {
        kind: 'CREATED',
        state: JSON.stringify({ oauthState }),
        reference: `consent-${oauthState}`,
        authorisationUrl: `https://bank.example/login?state=${oauthState}`,
        interactionId: 'interaction',
      };
    },
    readReturn: async (state, parameters) => {
      if (parameters.state !== JSON.parse(state).oauthState)
        return { kind: 'INVALID', description: 'not ours' };
      if (parameters.keys === 'away') return unknown;
      if (parameters.code) return { kind: 'AUTHORISED', code: parameters.code, state };
      const byPayer = parameters.error === 'access_denied';
      return { kind: 'DECLINED', byPayer, code: 'DECLINED', description: 'Declined.' };
    },
    exchange: async (state) => {
      calls.push('exchange');
      return answers.exchange === 'OK' ? tokensOf(state) : unknown;
    },
    refreshTokens: async (state) => {
      calls.push('refreshTokens');
      if (answers.refreshTokens === 'OK') return tokensOf(state);
      return { kind: 'REFUSED', code: 'invalid_grant', description: 'No.' };
    },
    readAccounts: async () => {
      calls.push('readAccounts');
      return answers.readAccounts === 'OK' ? { kind: 'OK', accounts: answers.accounts } : unknown;
    },
    readBalance: async (state) => {
      await answers.hangs;
      if (isEnded(state)) return { kind: 'TOKEN_ENDED' };
      const at = new Date('2026-05-01T00:00:00Z');
      const balance = { amount: '-12.50', currency: 'GBP', balanceType: 'ITAV', at };
      return { kind: 'OK', balance };
    },
    readTransactions: async (state, page) => {
      calls.push('readTransactions');
      ranges.push(page);
      if (isEnded(state)) return { kind: 'TOKEN_ENDED' };
      const failure = answers.failures.shift();
      if (failure) return failure;
      const at = Number(page.cursor ?? 0);
      const isLast = at + 1 >= answers.pages.length;
      return {
        kind: 'OK',
        transactions: (page.accountId === 'one' ? (answers.pages[at] ?? []) : []).filter(
          ({ bookedAt }) => !answers.honoursRange || bookedAt >= page.from,
        ),
        nextCursor: isLast || page.accountId !== 'one' ? null : String(at + 1),
        gap: answers.gap,
      };
    },
    readConsent: async () => ({ kind: 'OK', status: 'AUTHORISED', changedAt: null }),
    revoke: async () => {
      calls.push('revoke');
      return answers.revoke;
    },
  };
  const reset = (): void => {
    Object.assign(answers, plain());
    calls.length = 0;
    ranges.length = 0;
  };
  return { id, rail, answers, calls, ranges, reset };
};
