import { type ReplyOf, refundStatuses } from '@florin/contract';
import { listMerchantRefunds } from '@florin/contract/dashboard/index.ts';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage } from '../../call/tenant.ts';
import { useOperation, useTenant } from '../../call/use-operation.ts';
import { ChoiceMenu, PeriodFields } from '../../parts/filter-fields.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { refundWords, StatusBadge } from '../../parts/status-badge.tsx';
import { amountColumn } from '../../parts/table/columns.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { continueInAddress, useFilterChange } from '../../parts/table/table-pager.tsx';
import { DateText } from '../../parts/texts.tsx';
import { SavedViews } from '../../parts/views/saved-views.tsx';
import type { RefundFilters } from '../../routes/tenant-filters.ts';
import { RefundApprovals } from './refund-approvals.tsx';

type Refund = ReplyOf<typeof listMerchantRefunds>['data'][number];

const pageSize = 25;
const statusChoices = refundStatuses.map((value) => ({ value, label: refundWords[value] }));

const columns: readonly Column<Refund>[] = [
  amountColumn(({ amount }) => amount),
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ status }) => <StatusBadge status={status} words={refundWords[status]} />,
  },
  { id: 'order', title: 'Order', cell: ({ orderId }) => orderId },
  { id: 'to', title: 'To', cell: ({ method }) => (method === 'CARD' ? 'Card' : 'Bank account') },
  { id: 'why', title: 'Waits for, or failed because', cell: ({ why }) => why },
  { id: 'notes', title: 'Notes', cell: ({ notes }) => notes },
  { id: 'created', title: 'When', cell: ({ createdAt }) => <DateText at={createdAt} /> },
  {
    id: 'updated',
    title: 'Changed',
    isExtra: true,
    cell: ({ updatedAt }) => <DateText at={updatedAt} />,
  },
];

/** Refunds of all payments, the newest first; each leads to its payment. */
export const RefundsPage = (): ReactNode => {
  const tenant = useTenant();
  const filters = useSearch({ from: '/$merchantId/$environment/refunds' });
  const { status, from, to, before } = filters;
  const query = { status, from, to, before, limit: pageSize };
  const found = useOperation(listMerchantRefunds, { query });
  const change = useFilterChange<RefundFilters>();
  return (
    <>
      <PageTitle title="Refunds">
        <SavedViews page="refunds" />
      </PageTitle>
      <RefundApprovals of={{ status: 'WAITING' }} />
      <DataTable<Refund>
        name="refunds"
        caption="Refunds, the newest first"
        columns={columns}
        rows={found.data?.data}
        rowKey={({ refundId }) => refundId}
        rowLink={({ paymentRequestId }) =>
          tenant ? addressOfPage(tenant, `payments/${paymentRequestId}`) : '/'
        }
        isLoading={found.isFetching}
        failure={found.error}
        onRetry={() => void found.refetch()}
        toolbar={
          <>
            <ChoiceMenu
              label="Status"
              choices={statusChoices}
              chosen={status ? [status] : []}
              onChoose={(chosen) => change({ status: chosen.at(-1) })}
            />
            <PeriodFields period={{ from, to }} onChange={change} />
          </>
        }
        pager={continueInAddress({ before }, found.data?.nextBefore, change)}
        empty={
          <EmptyState title="No refunds here" icon="refunds">
            <p>
              Open a paid payment and choose Refund: all of it, or a part. What waits for your
              balance or failed is listed here with the reason.
            </p>
          </EmptyState>
        }
      />
    </>
  );
};
