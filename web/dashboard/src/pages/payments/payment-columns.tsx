import type { ReplyOf, searchTransactions } from '@florin/contract';
import { DateText } from '../../parts/date-text.tsx';
import type { CsvColumn } from '../../parts/export/write-csv.ts';
import { MoneyText } from '../../parts/money-text.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import type { Column } from '../../parts/table/data-table.tsx';

type Transaction = ReplyOf<typeof searchTransactions>['data'][number];

const method = ({ transactionType, cardPaymentDetails }: Transaction): string =>
  transactionType === 'CARD' ? (cardPaymentDetails?.cardType ?? 'Card') : 'Bank';

export const paymentColumns: readonly Column<Transaction>[] = [
  {
    id: 'amount',
    title: 'Amount',
    isRight: true,
    isMain: true,
    cell: ({ paidAmount }) => <MoneyText pounds={paidAmount} />,
  },
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
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

export const exportColumns: readonly CsvColumn<Transaction>[] = [
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
