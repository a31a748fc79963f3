import {
  getBankAccount,
  getBankBalance,
  limits,
  listBankTransactions,
  type ReplyOf,
} from '@florin/contract';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { amountColumn, type Column, DataTable, fileColumns } from '../../parts/data-table.tsx';
import { csvPounds, ExportButton } from '../../parts/export-button.tsx';
import { NotYet } from '../../parts/failure-notice.tsx';
import { insteadOf } from '../../parts/later.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { writeSortCode } from '../../parts/numbers.ts';
import { describeStatus } from '../../parts/status-badge.tsx';
import { DateText, MoneyText } from '../../parts/texts.tsx';
import { inPeriod, useFilters } from '../../parts/use-filters.tsx';

type Transaction = ReplyOf<typeof listBankTransactions>['data'][number];

const pageSize = 50;
// Without a choice every day that the bank has shown.
const firstDay = '2000-01-01';
const lastDay = '2999-12-31';

const columns: readonly Column<Transaction>[] = [
  {
    id: 'date',
    title: 'Date',
    isMain: true,
    cell: ({ date }) => <DateText at={date} isDay />,
    inFile: ({ date }) => date.slice(0, 10),
  },
  amountColumn(({ amount }) => amount),
  {
    id: 'description',
    title: 'Description',
    isSecond: true,
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
    // What is pending has none yet.
    cell: ({ balance, status }) =>
      balance ? <MoneyText pounds={balance.amount} /> : describeStatus(status).words,
    inFile: ({ balance }) => balance && String(csvPounds(balance.amount)),
  },
  { id: 'status', title: 'Status', isExtra: true, status: ({ status }) => status },
];

/** An account as its bank shows it, by days. */
export const BankAccountPage = (): ReactNode => {
  const address = useAddress();
  const from = '/$merchantId/$environment/bank-feed/$accountAuthId/$accountId';
  const { accountAuthId, accountId } = useParams({ from });
  const { filters, toolbar, page, onPage } = useFilters(inPeriod);
  const { from: first, to: last } = filters;
  const account = useOperation(getBankAccount, { params: { accountId } });
  const balance = useOperation(getBankBalance, { params: { accountId } });
  const params = { accountId };
  const days = { from: first ?? firstDay, before: last ? dayAfter(last) : lastDay };
  const found = useOperation(listBankTransactions, {
    params,
    query: { ...days, page: page - 1, itemsPerPage: pageSize },
  });
  if (!account.data) return <NotYet of={account} />;
  const { bankName, sortCode, accountNumber } = account.data;
  return (
    <>
      <PageTitle
        title={accountNumber ? `${writeSortCode(sortCode)} ${accountNumber}` : 'Card account'}
        above={<Link to={address(`bank-feed/${accountAuthId}`)}>{bankName}</Link>}
        says={
          <>
            Balance{' '}
            {insteadOf({ ...balance, failed: 'not loaded' }) ?? (
              <MoneyText pounds={balance.data?.balance} />
            )}
          </>
        }
      >
        <ExportButton
          of={found}
          fileName="bank-transactions"
          columns={fileColumns(columns)}
          readPage={async (number, signal) => {
            const query = { ...days, page: number, itemsPerPage: limits.pageSizeMax };
            const part = await callOperation(listBankTransactions, { params, query }, { signal });
            return { rows: part.data, total: part.totalCount };
          }}
        />
      </PageTitle>
      <DataTable<Transaction>
        name="bank-transactions"
        caption="Transactions of the account, the newest first"
        columns={columns}
        rowKey={({ id }) => id}
        read={found}
        toolbar={toolbar}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
        empty={
          <EmptyState title="No transactions here" icon="bankFeed">
            Try other dates. Each bank decides how far back its transactions go.
          </EmptyState>
        }
      />
    </>
  );
};

const dayMs = 86_400_000;

const dayAfter = (day: string): string =>
  new Date(new Date(day).getTime() + dayMs).toISOString().slice(0, 10);
