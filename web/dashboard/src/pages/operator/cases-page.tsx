import { listOperatorCases, type ReplyOf } from '@florin/contract';
import { SegmentedControl } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { sentenceCase } from '../../parts/status-badge.tsx';
import { statusColumn } from '../../parts/table/columns.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { useFilterChange } from '../../parts/table/table-pager.tsx';
import { DateText } from '../../parts/texts.tsx';
import type { CaseFilters } from '../../routes/operator-filters.ts';

type Case = ReplyOf<typeof listOperatorCases>['data'][number];

const pageSize = 25;

const columns: readonly Column<Case>[] = [
  { id: 'kind', title: 'What', isMain: true, cell: ({ kind }) => sentenceCase(kind) },
  statusColumn,
  { id: 'description', title: 'Description', cell: ({ description }) => description },
  {
    id: 'environment',
    title: 'Environment',
    cell: ({ environment }) => environment && sentenceCase(environment),
  },
  { id: 'opened', title: 'Opened', cell: ({ openedAt }) => <DateText at={openedAt} /> },
  {
    id: 'resolved',
    title: 'Resolved',
    isExtra: true,
    cell: ({ resolvedAt }) => <DateText at={resolvedAt} />,
  },
];

const shown = [
  { value: 'OPEN', label: 'Open' },
  { value: 'RESOLVED', label: 'Resolved' },
  { value: 'ALL', label: 'All' },
] as const;

/** What only a person can settle. */
export const CasesPage = (): ReactNode => {
  const filters = useSearch({ from: '/operator/cases' });
  const { status = 'OPEN', page = 1 } = filters;
  const found = useOperation(listOperatorCases, {
    query: { page: page - 1, size: pageSize, ...(status !== 'ALL' && { status }) },
  });
  const change = useFilterChange<CaseFilters>();
  return (
    <>
      <PageTitle title="Cases" says="What only a person can settle" />
      <DataTable<Case>
        name="cases"
        caption="Operator cases, the newest first"
        columns={columns}
        rows={found.data?.data}
        rowKey={({ caseId }) => caseId}
        rowLink={({ caseId }) => `/operator/cases/${caseId}`}
        isLoading={found.isFetching}
        failure={found.error}
        onRetry={() => void found.refetch()}
        toolbar={
          <SegmentedControl
            aria-label="Which cases"
            value={status}
            onChange={(value) => {
              const chosen = shown.find((each) => each.value === value)?.value;
              change({ status: chosen === 'OPEN' ? undefined : chosen });
            }}
            data={shown.map((each) => ({ ...each }))}
          />
        }
        pager={{
          page,
          size: pageSize,
          total: found.data?.totalCount ?? 0,
          onPage: (next) => change({ page: next }),
        }}
        empty={
          <EmptyState title={status === 'OPEN' ? 'No case is open' : 'No cases'} icon="check">
            <p>
              Where the product must not guess it opens a case: a payment whose outcome the bank
              leaves open, money that no payment explains, books that do not balance.
            </p>
          </EmptyState>
        }
      />
    </>
  );
};
