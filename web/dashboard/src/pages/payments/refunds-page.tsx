import type { ReplyOf } from '@florin/contract';
import { listMerchantRefunds } from '@florin/contract/dashboard/index.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useMay, useOperation } from '../../call/use-operation.ts';
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
import { ListTotals, sortedBy } from '../../parts/sort-and-totals.tsx';
import { refundWords, StatusBadge } from '../../parts/status-badge.tsx';
import { inStore, useStoreColumn } from '../../parts/store-filter.tsx';
import { continueInAddress } from '../../parts/table-pager.tsx';
import { inAddress, inPeriod, oneOf, useFilters } from '../../parts/use-filters.tsx';
import { RefundApprovals } from './refund-approvals.tsx';

type Refund = ReplyOf<typeof listMerchantRefunds>['data'][number];

const pageSize = 25;
const lookEveryMs = 5_000;

const filters = {
  status: oneOf('Status', refundWords),
  ...inPeriod,
  ...inStore,
  ...sortedBy,
  before: inAddress.text,
};

/** A failed refund has left the money where it was: its payment can be refunded again. */
const RefundAgain = ({ of }: { readonly of: Refund }): ReactNode => {
  const address = useAddress();
  const mayRefund = useMay('refunds.propose');
  return mayRefund && <Link to={address(`payments/${of.paymentRequestId}`)}>Refund again</Link>;
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
  { id: 'created', title: 'When', at: ({ createdAt }) => createdAt },
  { id: 'to', title: 'To', cell: ({ method }) => (method === 'CARD' ? 'Card' : 'Bank account') },
  {
    id: 'why',
    title: 'Waits for, or failed because',
    isLong: true,
    cell: (refund) =>
      refund.status === 'FAILED' ? (
        <>
          {refund.why} <RefundAgain of={refund} />
        </>
      ) : (
        refund.why
      ),
    inFile: ({ why }) => why,
  },
  { id: 'notes', title: 'Notes', isExtra: true, cell: ({ notes }) => notes },
  { id: 'updated', title: 'Changed', isExtra: true, at: ({ updatedAt }) => updatedAt },
];

const exported: readonly CsvColumn<Refund>[] = [
  { title: 'Date', value: ({ createdAt }) => csvTime(createdAt) },
  { title: 'Order', value: ({ orderId }) => orderId },
  { title: 'Amount', value: ({ amount }) => csvPounds(amount) },
  { title: 'Status', value: ({ status }) => refundWords[status] },
  { title: 'To', value: ({ method }) => (method === 'CARD' ? 'Card' : 'Bank account') },
  { title: 'Why', value: ({ why }) => why },
  { title: 'Store', value: ({ storeName }) => storeName },
  { title: 'Notes', value: ({ notes }) => notes },
  { title: 'Refund id', value: ({ refundId }) => refundId },
  { title: 'Payment id', value: ({ paymentRequestId }) => paymentRequestId },
];

/** Refunds of all payments; each leads to its payment. */
export const RefundsPage = (): ReactNode => {
  const address = useAddress();
  const storeColumn = useStoreColumn<Refund>(({ storeName }) => storeName);
  const { filters: chosen, change, toolbar } = useFilters(filters);
  const found = useOperation(
    listMerchantRefunds,
    { query: { ...chosen, limit: pageSize } },
    { refetchEveryMs: lookEveryMs },
  );
  const { before: _, ...filtered } = chosen;
  const added = useOperation(
    listMerchantRefunds,
    { query: { ...filtered, limit: 1, totals: true } },
    { refetchEveryMs: lookEveryMs },
  );
  return (
    <>
      <PageTitle title="Refunds">
        <SavedViews page="refunds" />
        <ExportButton
          fileName="refunds"
          columns={exported}
          readPage={readOn(listMerchantRefunds, filtered)}
        />
      </PageTitle>
      <RefundApprovals of={{ status: 'WAITING' }} />
      <DataTable<Refund>
        name="refunds"
        caption="Refunds"
        columns={[...columns, storeColumn]}
        rowKey={({ refundId }) => refundId}
        rowLink={({ paymentRequestId }) => address(`payments/${paymentRequestId}`)}
        read={found}
        toolbar={toolbar}
        totals={<ListTotals of={added.data?.totals} one="refund" words={refundWords} />}
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
