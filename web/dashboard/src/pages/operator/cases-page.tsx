import { listOperatorCases, type ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import {
  type Column,
  DataTable,
  environmentColumn,
  statusColumn,
  timeColumn,
} from '../../parts/data-table.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { sentenceCase } from '../../parts/status-badge.tsx';
import { oneOfFew, useFilters } from '../../parts/use-filters.tsx';

type Case = ReplyOf<typeof listOperatorCases>['data'][number];

const pageSize = 25;

const columns: readonly Column<Case>[] = [
  { id: 'kind', title: 'What', isMain: true, cell: ({ kind }) => sentenceCase(kind) },
  statusColumn,
  {
    id: 'description',
    title: 'Description',
    isLong: true,
    isObvious: true,
    cell: ({ description }) => description,
  },
  {
    id: 'business',
    title: 'Merchant',
    isSecond: true,
    cell: ({ businessName }) => businessName ?? 'The installation',
  },
  environmentColumn,
  { ...timeColumn(({ openedAt }) => openedAt), id: 'opened', title: 'Opened', isObvious: true },
  { id: 'resolved', title: 'Resolved', isExtra: true, at: ({ resolvedAt }) => resolvedAt },
];

const shown = {
  OPEN: 'Open',
  RESOLVED: 'Resolved',
  ALL: 'All',
} as const satisfies Record<'ALL' | Case['status'], string>;

/** What only a person can settle. */
export const CasesPage = (): ReactNode => {
  const { filters, toolbar, page, onPage } = useFilters({
    status: oneOfFew('Which cases', shown, 'OPEN'),
  });
  const { status = 'OPEN' } = filters;
  const found = useOperation(listOperatorCases, {
    query: { page: page - 1, size: pageSize, ...(status !== 'ALL' && { status }) },
  });
  return (
    <>
      <PageTitle title="Cases" says="What only a person can settle" />
      <DataTable<Case>
        name="cases"
        caption="Operator cases, the newest first"
        columns={columns}
        rowKey={({ caseId }) => caseId}
        rowLink={({ caseId }) => `/operator/cases/${caseId}`}
        read={found}
        toolbar={toolbar}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
        empty={
          <EmptyState title={status === 'OPEN' ? 'No case is open' : 'No cases'} icon="check">
            Where the product must not guess it opens a case: a payment whose outcome the bank
            leaves open, money that no payment explains, books that do not balance.
          </EmptyState>
        }
      />
    </>
  );
};
