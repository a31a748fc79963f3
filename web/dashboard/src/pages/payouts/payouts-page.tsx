import { listPayoutMatches, listPayouts, type ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { amountColumn, type Column, DataTable, statusColumn } from '../../parts/data-table.tsx';
import { OneChoice, PeriodFields, SearchField } from '../../parts/filter-fields.tsx';
import { readSearch, type Search, useFilters } from '../../parts/filters.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { CopyText } from '../../parts/texts.tsx';
import { MatchText, settledAround } from './matches.tsx';

type Payout = ReplyOf<typeof listPayouts>['data'][number];
type Match = ReplyOf<typeof listPayoutMatches>['data'][number];

const pageSize = 25;
const matchesRead = 100;

const statusWords = {
  PENDING: 'Pending',
  PROCESSING: 'On the way',
  SETTLED: 'Settled',
  FAILED: 'Failed',
} as const satisfies Record<Payout['status'], string>;

const read = (search: Search) => ({
  ...readSearch.period(search),
  search: readSearch.text(search, 'search'),
  status: readSearch.choice(search, 'status', statusWords),
  page: readSearch.page(search),
});

const columnsWith = (matches: ReadonlyMap<string, Match>): readonly Column<Payout>[] => [
  amountColumn(({ amount }) => Number(amount)),
  statusColumn,
  {
    id: 'reference',
    title: 'On your statement',
    cell: ({ reference }) => <CopyText text={reference} what="reference" />,
  },
  { id: 'match', title: 'Arrived', cell: ({ id }) => <MatchText match={matches.get(id)?.match} /> },
  { id: 'until', title: 'Payments until', at: ({ settlementPeriodEnd }) => settlementPeriodEnd },
  { id: 'created', title: 'Created', at: ({ createdAt }) => createdAt },
  { id: 'updated', title: 'Changed', isExtra: true, at: ({ updatedAt }) => updatedAt },
];

/** What went to the business's own accounts, and whether it arrived there. */
export const PayoutsPage = (): ReactNode => {
  const address = useAddress();
  const { filters, change, onPage } = useFilters(read);
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
  return (
    <>
      <PageTitle title="Payouts" says="What goes to your bank accounts" />
      <DataTable<Payout>
        name="payouts"
        caption="Payouts, the newest first"
        columns={columnsWith(matches)}
        rows={found.data?.data}
        rowKey={({ id }) => id}
        rowLink={({ id }) => address(`payouts/${id}`)}
        read={found}
        toolbar={
          <>
            <SearchField
              label="Amount or reference"
              value={search ?? ''}
              onSearch={(text) => change({ search: text || undefined })}
            />
            <OneChoice
              label="Status"
              words={statusWords}
              chosen={status}
              onChoose={(status) => change({ status })}
            />
            <PeriodFields period={{ from, to }} onChange={change} />
          </>
        }
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
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
