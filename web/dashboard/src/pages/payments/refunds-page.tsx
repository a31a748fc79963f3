import type { ReplyOf } from '@florin/contract';
import { listMerchantRefunds } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { amountColumn, type Column, DataTable, timeColumn } from '../../parts/data-table.tsx';
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
import { inAddress, inPeriodOf, oneOf, searchFor, useFilters } from '../../parts/use-filters.tsx';
import classes from './refunds-page.module.css';

// With its dialogs no part of the first load.
const RefundApprovals = lazy(async () => ({
  default: (await import('./refund-approvals.tsx')).RefundApprovals,
}));

type Refund = ReplyOf<typeof listMerchantRefunds>['data'][number];

const pageSize = 25;
const lookEveryMs = 5_000;

const filters = {
  search: searchFor('Order, customer or amount'),
  status: oneOf('Status', refundWords),
  ...inPeriodOf('Requested'),
  ...inStore,
  ...sortedBy,
  before: inAddress.text,
};

/** A failed refund has left the money where it was: its payment can be refunded again. */
const RefundAgain = ({ of }: { readonly of: Refund }): ReactNode => {
  const address = useAddress();
  const mayRefund = useMay('refunds.propose');
  if (!mayRefund) return null;
  return (
    <Button
      size="compact-sm"
      variant="default"
      component={Link}
      to={address(`payments/${of.paymentRequestId}`)}
      search={{ again: of.refundId } as never}
    >
      Refund again
    </Button>
  );
};

const payeeOf = ({ method, lastFour }: Refund): string => {
  if (method !== 'CARD') return 'Bank account';
  return lastFour ? `Card …${lastFour}` : 'Card';
};

const columns: readonly Column<Refund>[] = [
  amountColumn(({ amount }) => amount),
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    isLong: true,
    cell: (refund) => (
      <div className={classes.state}>
        <StatusBadge status={refund.status} words={refundWords[refund.status]} />
        {refund.why && <span className="soft">{refund.why}</span>}
        {refund.status === 'FAILED' && <RefundAgain of={refund} />}
      </div>
    ),
    inFile: ({ status }) => refundWords[status],
  },
  { id: 'customer', title: 'Customer', isSecond: true, cell: ({ payer }) => payer },
  { id: 'order', title: 'Order', isObvious: true, cell: ({ orderId }) => orderId },
  { ...timeColumn(({ createdAt }) => createdAt), title: 'Requested' },
  { id: 'booked', title: 'Refunded', at: ({ bookedAt }) => bookedAt },
  { id: 'to', title: 'Refunded to', isExtra: true, cell: payeeOf },
  { id: 'notes', title: 'Notes', isExtra: true, cell: ({ notes }) => notes },
  { id: 'updated', title: 'Changed', isExtra: true, at: ({ updatedAt }) => updatedAt },
];

const exported: readonly CsvColumn<Refund>[] = [
  { title: 'Requested', value: ({ createdAt }) => csvTime(createdAt) },
  { title: 'Refunded', value: ({ bookedAt }) => csvTime(bookedAt) },
  { title: 'Order', value: ({ orderId }) => orderId },
  { title: 'Amount', value: ({ amount }) => csvPounds(amount) },
  { title: 'Status', value: ({ status }) => refundWords[status] },
  { title: 'Customer', value: ({ payer }) => payer },
  { title: 'Refunded to', value: payeeOf },
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
  const { filters: chosen, change, toolbar, isFiltered } = useFilters(filters, { replace: true });
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
      <PageTitle title="Refunds" says="Listed by request date. Home uses the refund date.">
        <SavedViews page="refunds" />
        <ExportButton
          of={found}
          fileName="refunds"
          columns={exported}
          readPage={readOn(listMerchantRefunds, filtered)}
        />
      </PageTitle>
      <Suspense>
        <RefundApprovals of={{ status: 'WAITING' }} />
      </Suspense>
      <DataTable<Refund>
        name="refunds"
        caption="Refunds"
        columns={[...columns, storeColumn]}
        rowKey={({ refundId }) => refundId}
        rowLink={({ paymentRequestId }) => address(`payments/${paymentRequestId}`)}
        read={found}
        order={{ chosen: chosen.orderBy, choose: (orderBy) => change({ orderBy }) }}
        toolbar={toolbar}
        totals={<ListTotals of={added.data?.totals} one="refund" words={refundWords} />}
        pager={continueInAddress(chosen, found.data?.nextBefore, change)}
        empty={
          <EmptyState
            title={isFiltered ? 'No matching refunds' : 'No refunds here'}
            icon={isFiltered ? 'filter' : 'refunds'}
          >
            Open a paid payment and choose Refund, in full or in part. Refunds that are waiting or
            have failed are listed here with the reason.
          </EmptyState>
        }
      />
    </>
  );
};
