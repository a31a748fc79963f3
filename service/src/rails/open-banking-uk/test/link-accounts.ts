import type {
  AccountConsentOrder,
  BankDataRail,
  TransactionPage,
  TransactionsOutcome,
} from '#rails/bank-data-rail.ts';
import { approveAtBank } from './approve-at-bank.ts';
import { newOrder } from './new-test-client.ts';
import { verified } from './verified.ts';

/** A customer shares the accounts of this login at a simulated bank. */
export const linkAccounts = async (
  rail: BankDataRail,
  institutionId: string,
  login: string,
  change: Partial<AccountConsentOrder> = {},
) => {
  const order = newAccountOrder({ institutionId, ...change });
  const created = verified(await rail.createConsent(order), 'CREATED');
  const parameters = (await approveAtBank(created.authorisationUrl, login)) ?? {};
  const returned = verified(await rail.readReturn(created.state, parameters), 'AUTHORISED');
  const tokens = verified(await rail.exchange(returned.state, returned.code), 'OK');
  return { ...tokens, reference: created.reference };
};

export const newAccountOrder = (
  change: Partial<AccountConsentOrder> = {},
): AccountConsentOrder => ({
  institutionId: 'scripted',
  sharedData: ['ACCOUNTS', 'BALANCES', 'TRANSACTIONS'],
  expiresAt: null,
  transactionsFrom: null,
  oauthState: newOrder().oauthState,
  visitor: { address: '203.0.113.9', userAgent: 'Mozilla/5.0' },
  ...change,
});

/** All pages, as a module pulls them. */
export const pullTransactions = async (
  rail: BankDataRail,
  state: string,
  accountId: string,
  days = 400,
) => {
  const to = new Date(Date.now() + 86_400_000);
  const from = new Date(Date.now() - days * 86_400_000);
  const pages = [];
  let cursor: string | null = null;
  do {
    const page: TransactionPage = { accountId, from, to, cursor };
    const outcome: TransactionsOutcome = await rail.readTransactions(state, page, visitor);
    const read = verified(outcome, 'OK');
    pages.push(read);
    cursor = read.nextCursor;
  } while (cursor !== null);
  return { pages, transactions: pages.flatMap((page) => page.transactions) };
};

const visitor = { address: '203.0.113.9' };
