import {
  limits,
  listPayoutMatches,
  listPayouts,
  payoutStatuses,
  type ReplyOf,
} from '@florin/contract';
import type { ReactNode } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import {
  amountColumn,
  type Column,
  DataTable,
  statusColumn,
  timeColumn,
} from '../../parts/data-table.tsx';
import { type CsvColumn, csvPounds, csvTime, ExportButton } from '../../parts/export-button.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { ListTotals, sortedBy } from '../../parts/sort-and-totals.tsx';
import { describeStatus, wordsOf } from '../../parts/status-badge.tsx';
import { inPeriodOf, oneOf, searchFor, useFilters } from '../../parts/use-filters.tsx';
import { AccountText, MatchText, settledIn } from './matches.tsx';
import { payoutDate } from './payout-date.ts';

type Payout = ReplyOf<typeof listPayouts>['data'][number];
type Match = ReplyOf<typeof listPayoutMatches>['data'][number];

const pageSize = 25;
const matchesRead = 100;

const filters = {
  search: searchFor('Amount or reference'),
  status: oneOf('Status', wordsOf(payoutStatuses)),
  ...inPeriodOf('Opened'),
  ...sortedBy,
};

const columnsWith = (matches: ReadonlyMap<string, Match>): readonly Column<Payout>[] => [
  amountColumn(({ amount }) => Number(amount)),
  statusColumn,
  {
    id: 'reference',
    title: 'Bank reference',
    isObvious: true,
    copied: ({ reference }) => reference,
    what: 'reference',
  },
  {
    id: 'match',
    title: 'At your bank',
    isObvious: true,
    isLater: ({ settledAt }) => settledAt !== null,
    cell: ({ id }) => {
      const match = matches.get(id)?.match;
      return match && <MatchText match={match} />;
    },
  },
  {
    id: 'account',
    title: 'To account',
    isSecond: true,
    cell: ({ account }) => <AccountText of={account} />,
    inFile: ({ account }) => `${account.name} …${account.lastFour}`,
  },
  { id: 'lines', title: 'Lines', count: ({ lineCount }) => lineCount },
  { ...timeColumn(payoutDate), title: 'Paid out or due', isObvious: true },
  { id: 'opened', title: 'Opened', isExtra: true, at: ({ createdAt }) => createdAt },
  { id: 'updated', title: 'Changed', isExtra: true, at: ({ updatedAt }) => updatedAt },
];

const exported: readonly CsvColumn<Payout>[] = [
  { title: 'Paid out', value: ({ settledAt }) => csvTime(settledAt) },
  { title: 'Due', value: ({ settlementPeriodEnd }) => csvTime(settlementPeriodEnd) },
  { title: 'Amount', value: ({ amount }) => csvPounds(Number(amount)) },
  { title: 'Currency', value: ({ currency }) => currency },
  { title: 'Status', value: ({ status }) => describeStatus(status).words },
  { title: 'Bank reference', value: ({ reference }) => reference },
  { title: 'To account', value: ({ account }) => `${account.name} …${account.lastFour}` },
  { title: 'Lines', value: ({ lineCount }) => lineCount },
  { title: 'Opened', value: ({ createdAt }) => csvTime(createdAt) },
  { title: 'Payout id', value: ({ id }) => id },
];

/** What went to the business's own accounts, and whether it arrived there. */
export const PayoutsPage = (): ReactNode => {
  const address = useAddress();
  const { filters: chosen, change, toolbar, page, onPage } = useFilters(filters);
  const { from, to, ...others } = chosen;
  const found = useOperation(listPayouts, {
    query: { page: page - 1, limit: pageSize, ...others, fromDate: from, toDate: to },
  });
  const { orderBy: _, ...filtered } = others;
  const added = useOperation(listPayouts, {
    query: { page: 0, limit: 1, ...filtered, fromDate: from, toDate: to, totals: true },
  });
  const settled = settledIn(found.data?.data ?? []);
  const matched = useOperation(
    listPayoutMatches,
    { query: { ...settled, limit: matchesRead } },
    { enabled: settled !== null },
  );
  const matches = new Map(matched.data?.data.map((match) => [match.payoutId, match]));
  return (
    <>
      <PageTitle title="Payouts" says="Money sent to your bank accounts">
        <ExportButton
          of={found}
          fileName="payouts"
          columns={exported}
          readPage={async (number, signal) => {
            const query = { page: number, limit: limits.pageSizeMax, ...others };
            const part = await callOperation(
              listPayouts,
              { query: { ...query, fromDate: from, toDate: to } },
              { signal },
            );
            return { rows: part.data, total: part.totalCount };
          }}
        />
      </PageTitle>
      <DataTable<Payout>
        name="payouts"
        caption="Payouts"
        columns={columnsWith(matches)}
        rowKey={({ id }) => id}
        rowLink={({ id }) => address(`payouts/${id}`)}
        read={found}
        later={{ ...matched, failed: 'Could not ask the bank' }}
        order={{ chosen: chosen.orderBy, choose: (orderBy) => change({ orderBy }) }}
        toolbar={toolbar}
        totals={<ListTotals of={added.data?.totals} one="payout" />}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
        empty={
          <EmptyState title="No payouts here" icon="payouts">
            Bank payments are paid out to your account in batches, less refunds and fees. Each batch
            is one line on your bank statement.
          </EmptyState>
        }
      />
    </>
  );
};
