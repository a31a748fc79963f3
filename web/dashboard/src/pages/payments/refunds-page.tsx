import { limits, type ReplyOf } from '@florin/contract';
import { listMerchantRefunds } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { amountColumn, type Column, DataTable } from '../../parts/data-table.tsx';
import {
  type CsvColumn,
  csvPounds,
  csvTime,
  ExportButton,
  readOn,
} from '../../parts/export-button.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { SavedViews } from '../../parts/saved-views.tsx';
import { refundWords, StatusBadge } from '../../parts/status-badge.tsx';
import { continueInAddress } from '../../parts/table-pager.tsx';
import { type ChosenOf, inAddress, inPeriod, oneOf, useFilters } from '../../parts/use-filters.tsx';
import { RefundApprovals } from './refund-approvals.tsx';

type Refund = ReplyOf<typeof listMerchantRefunds>['data'][number];

const pageSize = 25;
const lookEveryMs = 5_000;

const filters = {
  status: oneOf('Status', refundWords),
  ...inPeriod,
  before: inAddress.text,
};

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
  { id: 'created', title: 'When', at: ({ createdAt }) => createdAt },
  { id: 'updated', title: 'Changed', isExtra: true, at: ({ updatedAt }) => updatedAt },
];

const exported: readonly CsvColumn<Refund>[] = [
  { title: 'Date', value: ({ createdAt }) => csvTime(createdAt) },
  { title: 'Order', value: ({ orderId }) => orderId },
  { title: 'Amount', value: ({ amount }) => csvPounds(amount) },
  { title: 'Status', value: ({ status }) => refundWords[status] },
  { title: 'To', value: ({ method }) => (method === 'CARD' ? 'Card' : 'Bank account') },
  { title: 'Why', value: ({ why }) => why },
  { title: 'Notes', value: ({ notes }) => notes },
  { title: 'Refund id', value: ({ refundId }) => refundId },
  { title: 'Payment id', value: ({ paymentRequestId }) => paymentRequestId },
];

const readRefunds = ({ before: _, ...chosen }: ChosenOf<typeof filters>) =>
  readOn((before, signal) => {
    const query = { ...chosen, ...(before && { before }), limit: limits.pageSizeMax };
    return callOperation(listMerchantRefunds, { query }, { signal });
  });

/** Refunds of all payments, the newest first; each leads to its payment. */
export const RefundsPage = (): ReactNode => {
  const address = useAddress();
  const { filters: chosen, change, toolbar } = useFilters(filters);
  const found = useOperation(
    listMerchantRefunds,
    { query: { ...chosen, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  return (
    <>
      <PageTitle title="Refunds">
        <SavedViews page="refunds" />
        <ExportButton fileName="refunds" columns={exported} readPage={readRefunds(chosen)} />
      </PageTitle>
      <RefundApprovals of={{ status: 'WAITING' }} />
      <DataTable<Refund>
        name="refunds"
        caption="Refunds, the newest first"
        columns={columns}
        rowKey={({ refundId }) => refundId}
        rowLink={({ paymentRequestId }) => address(`payments/${paymentRequestId}`)}
        read={found}
        toolbar={toolbar}
        pager={continueInAddress(chosen, found.data?.nextBefore, change)}
        empty={
          <EmptyState title="No refunds here" icon="refunds">
            Open a paid payment and choose Refund: all of it, or a part. What waits for your balance
            or failed is listed here with the reason.
          </EmptyState>
        }
      />
    </>
  );
};
