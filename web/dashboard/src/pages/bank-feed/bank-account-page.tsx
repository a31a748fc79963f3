import {
  getBankAccount,
  getBankBalance,
  listBankTransactions,
  type ReplyOf,
} from '@florin/contract';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage } from '../../call/tenant.ts';
import { useOperation, useTenant } from '../../call/use-operation.ts';
import { DateText } from '../../parts/date-text.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { DayField } from '../../parts/filters/day-field.tsx';
import { MoneyText } from '../../parts/money-text.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import type { TransactionFilters } from './bank-feed-filters.ts';
import { writeSortCode } from './write-sort-code.ts';

type Transaction = ReplyOf<typeof listBankTransactions>['data'][number];

const pageSize = 50;
// Without a choice every day that the bank has shown.
const firstDay = '2000-01-01';
const lastDay = '2999-12-31';

const columns: readonly Column<Transaction>[] = [
  { id: 'date', title: 'Date', isMain: true, cell: ({ date }) => <DateText at={date} isDay /> },
  {
    id: 'amount',
    title: 'Amount',
    isRight: true,
    isMain: true,
    cell: ({ amount }) => <MoneyText pounds={amount} />,
  },
  {
    id: 'description',
    title: 'Description',
    cell: ({ description, merchantName }) => description ?? merchantName,
  },
  { id: 'reference', title: 'Reference', cell: ({ reference }) => reference },
  {
    id: 'other',
    title: 'From or to',
    cell: ({ type, payer, payee }) => (type === 'CREDIT' ? payer?.name : payee?.name),
  },
  {
    id: 'balance',
    title: 'Balance after',
    isRight: true,
    cell: ({ balance }) => <MoneyText pounds={balance?.amount} />,
  },
  {
    id: 'status',
    title: 'Status',
    isExtra: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
];

/** An account as its bank shows it, by days. */
export const BankAccountPage = (): ReactNode => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const from = '/$merchantId/$environment/bank-feed/$accountAuthId/$accountId';
  const { accountAuthId, accountId } = useParams({ from });
  const filters = useSearch({ from });
  const { page = 1, from: first, to: last } = filters;
  const account = useOperation(getBankAccount, { params: { accountId } });
  const balance = useOperation(getBankBalance, { params: { accountId } });
  const found = useOperation(listBankTransactions, {
    params: { accountId },
    query: {
      from: first ?? firstDay,
      before: last ? dayAfter(last) : lastDay,
      page: page - 1,
      itemsPerPage: pageSize,
    },
  });
  const change = (changes: TransactionFilters): void =>
    void navigate({ to: '.', search: (current) => ({ ...current, page: undefined, ...changes }) });
  if (account.error && !account.data)
    return <FailureNotice failure={account.error} onRetry={() => void account.refetch()} />;
  if (!account.data || !tenant) return null;
  const { bankName, sortCode, accountNumber } = account.data;
  return (
    <>
      <PageTitle
        title={accountNumber ? `${writeSortCode(sortCode)} ${accountNumber}` : 'Card account'}
        above={<Link to={addressOfPage(tenant, `bank-feed/${accountAuthId}`)}>{bankName}</Link>}
        says={
          <>
            Balance <MoneyText pounds={balance.data?.balance} />
          </>
        }
      />
      <DataTable<Transaction>
        name="bank-transactions"
        caption="Transactions of the account, the newest first"
        columns={columns}
        rows={found.data?.data}
        rowKey={({ id }) => id}
        isLoading={found.isFetching}
        failure={found.error}
        onRetry={() => void found.refetch()}
        toolbar={
          <>
            <DayField
              label="From day"
              value={first}
              max={last}
              onDay={(day) => change({ from: day })}
            />
            <DayField
              label="To day"
              value={last}
              min={first}
              onDay={(day) => change({ to: day })}
            />
          </>
        }
        pager={{
          page,
          size: pageSize,
          total: found.data?.totalCount ?? 0,
          onPage: (next) => change({ page: next }),
        }}
        empty={
          <EmptyState title="No transactions here" icon="bankFeed">
            <p>Choose other days. How far back a bank shows its transactions is its own choice.</p>
          </EmptyState>
        }
      />
    </>
  );
};

const dayMs = 86_400_000;

const dayAfter = (day: string): string =>
  new Date(new Date(day).getTime() + dayMs).toISOString().slice(0, 10);
