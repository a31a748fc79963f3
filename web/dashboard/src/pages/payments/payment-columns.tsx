import type { ReplyOf, searchTransactions } from '@florin/contract';
import { amountColumn, type Column, timeColumn } from '../../parts/data-table.tsx';
import { type CsvColumn, csvPounds, csvTime } from '../../parts/export-button.tsx';
import { describeStatus, StatusBadge, shownStatusOf } from '../../parts/status-badge.tsx';
import { storeNameAt } from '../../parts/store-name.ts';
import { MoneyText } from '../../parts/texts.tsx';
import { paidTwice } from './paid-twice.ts';

export type Transaction = ReplyOf<typeof searchTransactions>['data'][number];

export const keyOf = (row: Transaction): string =>
  `${row.paymentRequestId} ${row.paymentIdempotencyId}`;

/** By institution id. */
export type BankNames = Readonly<Record<string, string>>;

const method = (
  { transactionType, cardPaymentDetails, institutionId }: Transaction,
  names: BankNames,
): string =>
  transactionType === 'CARD'
    ? (cardPaymentDetails?.cardType ?? 'Card')
    : (names[institutionId ?? ''] ?? 'Bank');

export const columnsWith = (
  banks: BankNames,
  all: readonly Transaction[],
): readonly Column<Transaction>[] => [
  amountColumn(({ paidAmount }) => paidAmount),
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: (row) => (
      <>
        <StatusBadge status={shownStatusOf(row)} />
        {row.totalRefundAmount > 0 && row.outcome !== 'REFUNDED' && (
          <>
            {' '}
            <MoneyText pounds={row.totalRefundAmount} isSoft />
          </>
        )}
      </>
    ),
  },
  {
    ...{ id: 'consumer', title: 'Customer', isSecond: true },
    cell: ({ consumerName }) => consumerName,
  },
  {
    ...{ id: 'order', title: 'Order', isObvious: true },
    cell: (row) => (
      <>
        {row.orderId}
        {paidTwice(row, all) && <div className="soft">{paidTwice(row, all)}</div>}
      </>
    ),
    inFile: ({ orderId }) => orderId,
  },
  {
    id: 'method',
    title: 'Paid with',
    isObvious: true,
    cell: (row) => (
      <>
        {method(row, banks)}{' '}
        {row.lastFourDigits && <span className="figures">…{row.lastFourDigits}</span>}
      </>
    ),
  },
  {
    id: 'refunded',
    title: 'Refunded',
    isExtra: true,
    pounds: ({ totalRefundAmount }) => totalRefundAmount || null,
  },
  { ...timeColumn(({ createdAt }) => createdAt), isObvious: true },
  { id: 'notes', title: 'Notes', isExtra: true, cell: ({ notes }) => notes },
  { id: 'reference', title: 'Your customer id', isExtra: true, cell: (row) => row.customerId },
  {
    id: 'id',
    title: 'Payment id',
    isExtra: true,
    code: ({ paymentRequestId }) => paymentRequestId,
  },
];

export const exportColumnsWith = (banks: BankNames): readonly CsvColumn<Transaction>[] => [
  { title: 'Date', value: (row) => csvTime(row.createdAt) },
  { title: 'Order', value: (row) => row.orderId },
  { title: 'Status', value: (row) => describeStatus(shownStatusOf(row)).words },
  { title: 'Amount', value: (row) => csvPounds(row.paidAmount) },
  { title: 'Refunded', value: (row) => csvPounds(row.totalRefundAmount) },
  { title: 'Currency', value: (row) => row.currency },
  { title: 'Paid by', value: (row) => method(row, banks) },
  { title: 'Last four', value: (row) => row.lastFourDigits },
  { title: 'Customer', value: (row) => row.consumerName },
  { title: 'Your customer id', value: (row) => row.customerId },
  { title: 'Store', value: (row) => storeOf(row) },
  { title: 'Notes', value: (row) => row.notes },
  { title: 'Payment id', value: (row) => row.paymentRequestId },
  { title: 'Reference', value: (row) => row.paymentIdempotencyId },
];

export const storeOf = ({ merchantName, storeDetails }: Transaction): string =>
  storeNameAt(merchantName, storeDetails.locationName);
