import { listOperatorCases, type ReplyOf } from '@florin/contract';
import { Link } from '@tanstack/react-router';
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
import { oneOfFew, searchFor, useFilters } from '../../parts/use-filters.tsx';

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
    id: 'amount',
    title: 'Amount',
    pounds: ({ evidence: { amountPence } }) =>
      typeof amountPence === 'number' ? amountPence / 100 : null,
  },
  { id: 'order', title: 'Order', cell: (each) => orderOf(each) },
  {
    id: 'due',
    title: 'Answer by',
    at: ({ kind, status, evidence: { respondBy } }) =>
      kind === 'DISPUTE_OPENED' && status === 'OPEN' && typeof respondBy === 'string'
        ? respondBy
        : null,
  },
  {
    id: 'business',
    title: 'Merchant',
    isSecond: true,
    cell: ({ businessName }) => businessName ?? 'The installation',
  },
  { ...environmentColumn, isExtra: true },
  { ...timeColumn(({ openedAt }) => openedAt), id: 'opened', title: 'Opened', isObvious: true },
  { id: 'resolved', title: 'Resolved', isExtra: true, at: ({ resolvedAt }) => resolvedAt },
];

/** The payment that the case is about, where it is about one. */
const orderOf = ({ merchantId, environment, evidence }: Case): ReactNode => {
  const { orderId, paymentRequestId } = evidence;
  if (typeof orderId !== 'string') return null;
  if (merchantId === null || typeof paymentRequestId !== 'string') return orderId;
  return (
    <Link
      to="/operator/merchants/$merchantId/payments/$paymentRequestId"
      params={{ merchantId, paymentRequestId }}
      search={{ environment: environment?.toLowerCase() }}
    >
      {orderId}
    </Link>
  );
};

const shown = {
  OPEN: 'Open',
  RESOLVED: 'Resolved',
  ALL: 'All',
} as const satisfies Record<'ALL' | Case['status'], string>;

/** What only a person can settle. */
export const CasesPage = (): ReactNode => {
  const { filters, toolbar, page, onPage } = useFilters({
    search: searchFor('Order, merchant or id'),
    status: oneOfFew('Which cases', shown, 'OPEN'),
  });
  const { search, status = 'OPEN' } = filters;
  const found = useOperation(listOperatorCases, {
    query: { page: page - 1, size: pageSize, search, ...(status !== 'ALL' && { status }) },
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
          <EmptyState title={status === 'OPEN' ? 'No open cases' : 'No cases'} icon="check">
            Florin opens a case where it must not guess: a payment whose outcome the bank leaves
            open, money that no payment explains, books that do not balance.
          </EmptyState>
        }
      />
    </>
  );
};
