import { listPayoutMatches, listPayouts, payoutStatuses, type ReplyOf } from '@florin/contract';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage } from '../../call/tenant.ts';
import { useOperation, useTenant } from '../../call/use-operation.ts';
import { ChoiceMenu, PeriodFields, SearchField } from '../../parts/filter-fields.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { amountColumn, statusColumn } from '../../parts/table/columns.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { useFilterChange } from '../../parts/table/table-pager.tsx';
import { CopyText, DateText } from '../../parts/texts.tsx';
import type { PayoutFilters } from '../../routes/tenant-filters.ts';
import { MatchText } from './match-text.tsx';
import { settledAround } from './settled-around.ts';

type Payout = ReplyOf<typeof listPayouts>['data'][number];
type Match = ReplyOf<typeof listPayoutMatches>['data'][number];

const pageSize = 25;
const matchesRead = 100;

const columnsWith = (matches: ReadonlyMap<string, Match>): readonly Column<Payout>[] => [
  amountColumn(({ amount }) => Number(amount)),
  statusColumn,
  {
    id: 'reference',
    title: 'On your statement',
    cell: ({ reference }) => <CopyText text={reference} what="reference" />,
  },
  {
    id: 'match',
    title: 'Arrived',
    cell: ({ id }) => <MatchText match={matches.get(id)?.match} />,
  },
  {
    id: 'until',
    title: 'Payments until',
    cell: ({ settlementPeriodEnd }) => <DateText at={settlementPeriodEnd} />,
  },
  { id: 'created', title: 'Created', cell: ({ createdAt }) => <DateText at={createdAt} /> },
  {
    id: 'updated',
    title: 'Changed',
    isExtra: true,
    cell: ({ updatedAt }) => <DateText at={updatedAt} />,
  },
];

/** What went to the business's own accounts, and whether it arrived there. */
export const PayoutsPage = (): ReactNode => {
  const tenant = useTenant();
  const filters = useSearch({ from: '/$merchantId/$environment/payouts' });
  const { search, status, from, to, page = 1 } = filters;
  const found = useOperation(listPayouts, {
    query: { page: page - 1, limit: pageSize, search, status, fromDate: from, toDate: to },
  });
  const created = found.data?.data.map(({ createdAt }) => createdAt) ?? [];
  const { data: matched } = useOperation(
    listPayoutMatches,
    { query: { ...settledAround(created), limit: matchesRead } },
    { enabled: created.length > 0 },
  );
  const matches = new Map(matched?.data.map((match) => [match.payoutId, match]));
  const change = useFilterChange<PayoutFilters>();
  return (
    <>
      <PageTitle title="Payouts" says="What goes to your bank accounts" />
      <DataTable<Payout>
        name="payouts"
        caption="Payouts, the newest first"
        columns={columnsWith(matches)}
        rows={found.data?.data}
        rowKey={({ id }) => id}
        rowLink={({ id }) => (tenant ? addressOfPage(tenant, `payouts/${id}`) : '/')}
        isLoading={found.isFetching}
        failure={found.error}
        onRetry={() => void found.refetch()}
        toolbar={
          <>
            <SearchField
              label="Amount or reference"
              value={search ?? ''}
              onSearch={(text) => change({ search: text || undefined })}
            />
            <ChoiceMenu
              label="Status"
              choices={statusChoices}
              chosen={status ? [status] : []}
              onChoose={(chosen) => change({ status: chosen.at(-1) })}
            />
            <PeriodFields period={{ from, to }} onChange={change} />
          </>
        }
        pager={{
          page,
          size: pageSize,
          total: found.data?.totalCount ?? 0,
          onPage: (next) => change({ page: next }),
        }}
        empty={
          <EmptyState title="No payouts here" icon="payouts">
            <p>
              What customers paid by bank is paid out to your account in batches, less refunds and
              fees. Each batch is one line on your bank statement.
            </p>
          </EmptyState>
        }
      />
    </>
  );
};

const words = {
  PENDING: 'Pending',
  PROCESSING: 'On the way',
  SETTLED: 'Settled',
  FAILED: 'Failed',
};
const statusChoices = payoutStatuses.map((value) => ({ value, label: words[value] }));
