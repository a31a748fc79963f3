import type {
  getBankBalance as describedBalance,
  listBankAccounts as describedListBankAccounts,
  listBankTransactions as describedListBankTransactions,
  getBankAccount as describedOne,
  QueryOf,
  ReplyOf,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { startOfLondonDay } from '#kernel/london-day.ts';
import { shown } from '#platform/database/rows.ts';
import { badField } from '#platform/http/error-reply.ts';
import { masked, seesPayerAccounts } from '#platform/http/payer-accounts.ts';
import type { Caller } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { isReadable } from '../authorisations/authorisation.ts';
import { requireAuthorisation } from '../authorisations/get-authorisation.ts';
import { listLinkedAccounts } from '../authorisations/store/authorisations.ts';
import {
  authorisationRequired,
  type ReadTools,
  requireAccountAccess,
  requireFreshAccount,
} from './require-account-access.ts';
import { listTransactions, type TransactionRow } from './store/list-transactions.ts';

/** FEED-2: those that the customer chose at the bank. */
export const listBankAccounts = async (
  tools: Uses<'database'>,
  caller: Caller,
  authorisationId: string,
): Promise<ReplyOf<typeof describedListBankAccounts>> => {
  const { tenant } = caller;
  const authorisation = await requireAuthorisation(tools, tenant, authorisationId);
  if (!isReadable(authorisation)) throw authorisationRequired(authorisation.status);
  const values = { ...tenant, authorisationId };
  const rows = await tools.database.tenant(tenant.merchantId, listLinkedAccounts, values);
  return rows.map((row) => shown(seenBy(caller, row)));
};

const seenBy = <Row extends { readonly account_number: string | null }>(
  caller: Caller,
  row: Row,
): Row =>
  seesPayerAccounts(caller) ? row : { ...row, account_number: masked(row.account_number) };

export const getBankAccount = async (
  tools: Uses<'database'>,
  caller: Caller,
  accountId: string,
): Promise<ReplyOf<typeof describedOne>> =>
  shown(seenBy(caller, await requireAccountAccess(tools, caller.tenant, accountId)));

export const getBankBalance = async (
  tools: ReadTools,
  tenant: Tenant,
  accountId: string,
): Promise<ReplyOf<typeof describedBalance>> => {
  const access = await requireFreshAccount(tools, tenant, accountId);
  return { balance: access.balance, currency: access.balance_currency ?? access.currency };
};

type Reply = ReplyOf<typeof describedListBankTransactions>;

/** FEED-2, FEED-4. */
export const listBankTransactions = async (
  tools: ReadTools,
  caller: Caller,
  accountId: string,
  { page, itemsPerPage, ...range }: QueryOf<typeof describedListBankTransactions>,
): Promise<Reply> => {
  const { tenant } = caller;
  const from = instantOf('from', range.from);
  const before = instantOf('before', range.before);
  if (from >= before) throw badField('before', 'before must be later than from');
  await requireFreshAccount(tools, tenant, accountId);
  const rows = await tools.database.tenant(tenant.merchantId, listTransactions, {
    ...tenant,
    accountId,
    from,
    before,
    limit: itemsPerPage,
    skipped: page * itemsPerPage,
  });
  return {
    data: rows.flatMap((row) =>
      row.transaction_id === null
        ? []
        : [transactionView(row, row.transaction_id, seesPayerAccounts(caller))],
    ),
    totalCount: rows[0]?.total ?? 0,
    page,
    itemsPerPage,
  };
};

const dayOnly = /^\d{4}-\d\d-\d\d$/;
const zone = /(Z|[+-]\d\d:?\d\d)$/;

/** A date begins at midnight in London; a date-time without a zone is UTC, as banks write it. */
const instantOf = (field: 'from' | 'before', given: string): Date => {
  // A plus sign that was not encoded arrives as a space.
  const text = given.replace(' ', '+');
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  const instant = dayOnly.test(text)
    ? startOfLondonDay(day)
    : new Date(zone.test(text) ? text : `${text}Z`);
  if (isDay && !Number.isNaN(instant.getTime())) return instant;
  throw badField(field, `${field} must be an ISO 8601 date or date-time of our time`);
};

const transactionView = (
  row: TransactionRow,
  id: string,
  isWhole: boolean,
): Reply['data'][number] => {
  const { transaction_id: _, booked_at: date, category, payer, payee, ...rest } = row;
  return {
    ...shown({ ...rest, date }),
    id,
    transactionCategory: category,
    payer: partyView(payer, isWhole),
    payee: partyView(payee, isWhole),
    balance: balanceView(row),
  };
};

const partyView = (party: TransactionRow['payer'], isWhole: boolean) =>
  party && {
    name: party.name,
    accountDetails: {
      sortCode: party.sortCode,
      accountNumber: isWhole ? party.accountNumber : masked(party.accountNumber),
    },
  };

const balanceView = ({ balance, balance_currency: currency }: TransactionRow) =>
  balance === null ? null : { amount: balance, currency: currency ?? '' };
