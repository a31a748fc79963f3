import { limits, type ReplyOf, searchTransactions } from '@florin/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { addressOfPage } from '../../call/tenant.ts';
import { useOperation, useTenant } from '../../call/use-operation.ts';
import { writeCount } from '../../parts/amounts.ts';
import { ExportButton } from '../../parts/export/export-button.tsx';
import type { CsvColumn } from '../../parts/export/write-csv.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { amountColumn, statusColumn } from '../../parts/table/columns.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { DateText, MoneyText } from '../../parts/texts.tsx';
import { SavedViews } from '../../parts/views/saved-views.tsx';
import {
  hasPaymentFilters,
  type PaymentFilters,
  paymentSearch,
} from '../../routes/tenant-filters.ts';
import { PaymentFilterBar } from './payment-filter-bar.tsx';

export type Transaction = ReplyOf<typeof searchTransactions>['data'][number];

const pageSize = 25;
const exportPageSize = 100;

/** Every payment, the newest first. The address holds the filters, so a view can be shared. */
export const PaymentsPage = (): ReactNode => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const filters = useSearch({ from: '/$merchantId/$environment/payments' });
  const { page = 1 } = filters;
  const body = paymentSearch(filters);
  const found = useOperation(searchTransactions, {
    query: { page: page - 1, size: pageSize },
    body,
  });
  const change = (changes: PaymentFilters): void =>
    void navigate({
      to: '.',
      search: (current) => ({ ...current, page: undefined, ...changes }),
      replace: changes.page === undefined,
    });
  return (
    <>
      <PageTitle title="Payments">
        <SavedViews page="payments" />
        <ExportButton
          fileName="payments"
          columns={exportColumns}
          readPage={async (number, signal) => {
            const query = { page: number, size: exportPageSize };
            const part = await callOperation(searchTransactions, { query, body }, { signal });
            const isMinimum = part.totalCountIsMinimum;
            return { rows: part.data, total: part.totalCount, isMinimum };
          }}
        />
      </PageTitle>
      <DataTable<Transaction>
        name="payments"
        caption="Payments, the newest first"
        columns={paymentColumns}
        rows={found.data?.data}
        rowKey={(row) => `${row.paymentRequestId} ${row.paymentIdempotencyId}`}
        rowLink={(row) =>
          tenant ? addressOfPage(tenant, `payments/${row.paymentRequestId}`) : '/'
        }
        isLoading={found.isFetching}
        failure={found.error}
        onRetry={() => void found.refetch()}
        toolbar={<PaymentFilterBar filters={filters} onChange={change} />}
        pager={{
          page,
          size: pageSize,
          total: found.data?.totalCount ?? 0,
          isMinimum: found.data?.totalCountIsMinimum ?? false,
          onPage: (next) => change({ page: next }),
        }}
        empty={
          hasPaymentFilters(filters) ? (
            <EmptyState title="No payment matches" icon="filter">
              <p>
                {found.data?.totalCountIsMinimum
                  ? `Only the newest ${writeCount(limits.searchReadMax)} were read: choose earlier days.`
                  : 'Take a filter away, or search for another part of the order or the name.'}
              </p>
            </EmptyState>
          ) : (
            <EmptyState title="No payments yet" icon="payments">
              <p>
                A payment appears here as soon as a customer chooses a bank or a card. Make one with
                a payment link, at the till, or with the API.
              </p>
            </EmptyState>
          )
        }
      />
    </>
  );
};

const method = ({ transactionType, cardPaymentDetails }: Transaction): string =>
  transactionType === 'CARD' ? (cardPaymentDetails?.cardType ?? 'Card') : 'Bank';

const paymentColumns: readonly Column<Transaction>[] = [
  amountColumn(({ paidAmount }) => paidAmount),
  statusColumn,
  { id: 'consumer', title: 'Customer', cell: ({ consumerName }) => consumerName },
  { id: 'order', title: 'Order', cell: ({ orderId }) => orderId },
  { id: 'method', title: 'Paid by', cell: method },
  {
    id: 'refunded',
    title: 'Refunded',
    isRight: true,
    cell: ({ totalRefundAmount }) => <MoneyText pounds={totalRefundAmount || null} />,
  },
  { id: 'created', title: 'When', cell: ({ createdAt }) => <DateText at={createdAt} /> },
  {
    id: 'store',
    title: 'Store',
    isExtra: true,
    cell: ({ storeDetails }) => storeDetails.locationName,
  },
  { id: 'notes', title: 'Notes', isExtra: true, cell: ({ notes }) => notes },
  { id: 'reference', title: 'Your customer id', isExtra: true, cell: (row) => row.customerId },
  {
    id: 'id',
    title: 'Payment id',
    isExtra: true,
    cell: ({ paymentRequestId }) => <span className="code">{paymentRequestId}</span>,
  },
];

const exportColumns: readonly CsvColumn<Transaction>[] = [
  { title: 'paymentRequestId', value: (row) => row.paymentRequestId },
  { title: 'paymentIdempotencyId', value: (row) => row.paymentIdempotencyId },
  { title: 'status', value: (row) => row.status },
  { title: 'amount', value: (row) => row.paidAmount },
  { title: 'refunded', value: (row) => row.totalRefundAmount },
  { title: 'currency', value: (row) => row.currency },
  { title: 'method', value: method },
  { title: 'orderId', value: (row) => row.orderId },
  { title: 'customerId', value: (row) => row.customerId },
  { title: 'consumerName', value: (row) => row.consumerName },
  { title: 'store', value: (row) => row.storeDetails.locationName },
  { title: 'notes', value: (row) => row.notes },
  { title: 'createdAt', value: (row) => row.createdAt },
];
