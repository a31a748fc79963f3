import {
  type BodyOf,
  limits,
  listInstitutions,
  type ReplyOf,
  searchTransactions,
} from '@florin/contract';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { amountColumn, type Column, DataTable, timeColumn } from '../../parts/data-table.tsx';
import { type CsvColumn, csvPounds, csvTime, ExportButton } from '../../parts/export-button.tsx';
import { ChoiceMenu } from '../../parts/filter-fields.tsx';
import { readSearch } from '../../parts/filters.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { writeCount } from '../../parts/numbers.ts';
import { SavedViews } from '../../parts/saved-views.tsx';
import { ListTotals, sortedBy } from '../../parts/sort-and-totals.tsx';
import { describeStatus, StatusBadge, shownStatusOf } from '../../parts/status-badge.tsx';
import { inStores, useStoreColumn } from '../../parts/store-filter.tsx';
import { storeNameAt } from '../../parts/store-name.ts';
import { MoneyText } from '../../parts/texts.tsx';
import {
  amountLimit,
  type ChosenOf,
  type FilterField,
  inAddress,
  inPeriod,
  oneOf,
  searchFor,
  someOf,
  useFilters,
} from '../../parts/use-filters.tsx';
import { paidTwice } from './paid-twice.ts';
import { paymentCopies } from './payment-copies.tsx';

export type Transaction = ReplyOf<typeof searchTransactions>['data'][number];

const pageSize = 25;
const exportPageSize = 100;

type Status = NonNullable<BodyOf<typeof searchTransactions>['status']>[number];

/** Of transactions: before a bank is chosen there is none, and the other two are never a status of one. */
const statusWords = {
  COMPLETED: 'All paid: also if refunded or disputed since',
  PAID: 'Paid: and nothing since',
  PART_REFUNDED: 'Partly refunded',
  REFUNDED: 'Refunded',
  DISPUTED: 'Disputed',
  DISPUTE_LOST: 'Dispute lost',
  PENDING: 'Pending',
  AUTHORIZED: 'Authorised',
  AWAITING_AUTHORIZATION: 'At the bank',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
  EXPIRED: 'Expired',
} as const satisfies Record<Exclude<Status, 'PAYMENT_NOT_INITIATED' | 'REJECTED'>, string>;

/** Of whole payments, whatever was refunded of them: home has what was refunded. */
const totalWords = { REFUNDED: 'Fully refunded' };

type Method = NonNullable<BodyOf<typeof searchTransactions>['paymentMethod']>[number];

const methodWords = { PAY_BY_BANK: 'Bank', CARD: 'Card' } as const satisfies Record<Method, string>;

const filters = {
  search: searchFor('Order, customer, amount or last four'),
  status: someOf('Status', statusWords),
  method: oneOf('Paid by', methodWords),
  bank: {
    read: readSearch.words,
    field: (field: FilterField<readonly string[]>) => <BanksField {...field} />,
  },
  store: inStores,
  min: amountLimit('From £'),
  max: amountLimit('To £'),
  ...inPeriod,
  ...sortedBy,
  /** Linked from the page of a customer. */
  customer: inAddress.matching(/^[\da-f-]{36}$/),
};

type Filters = ChosenOf<typeof filters>;

/** The search that shows them. */
const searchOf = (filters: Filters): BodyOf<typeof searchTransactions> => {
  const { search, status, method, bank, store, min, max, from, to, orderBy, customer } = filters;
  return {
    ...(search && { search }),
    ...(status && { status: [...status] }),
    ...(method && { paymentMethod: [method] }),
    ...(bank && { institutionIds: [...bank] }),
    ...(store && { storeIds: [...store] }),
    ...(customer && { serviceCustomerIds: [customer] }),
    ...(min !== undefined && { minAmount: min }),
    ...(max !== undefined && { maxAmount: max }),
    ...(from && { fromDate: from }),
    ...(to && { toDate: to }),
    ...(orderBy && { orderBy }),
  };
};

/** Every payment, the newest first. The address holds the filters, so a view can be shared. */
export const PaymentsPage = (): ReactNode => {
  const address = useAddress();
  const storeColumn = useStoreColumn(storeOf);
  const banks = useBankNames();
  const used = useFilters(filters, { replace: true });
  const { filters: chosen, change, toolbar, isFiltered, page, onPage } = used;
  const body = searchOf(chosen);
  const found = useOperation(searchTransactions, {
    query: { page: page - 1, size: pageSize },
    body,
  });
  const { orderBy: _, ...filtered } = body;
  const added = useOperation(searchTransactions, {
    query: { page: 0, size: 1 },
    body: { ...filtered, totals: true },
  });
  return (
    <>
      <PageTitle title="Payments" says={chosen.customer && 'Of one customer'}>
        <SavedViews page="payments" />
        <ExportButton
          of={found}
          fileName="payments"
          columns={exportColumnsWith(banks)}
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
        columns={[...columnsWith(banks, found.data?.data ?? []), storeColumn, paymentCopies]}
        rowKey={(row) => `${row.paymentRequestId} ${row.paymentIdempotencyId}`}
        rowLink={(row) => address(`payments/${row.paymentRequestId}`)}
        read={found}
        order={{ chosen: chosen.orderBy, choose: (orderBy) => change({ orderBy }) }}
        toolbar={
          <>
            {toolbar}
            {isFiltered && (
              <Button variant="subtle" onClick={() => change(noFilters)}>
                Clear
              </Button>
            )}
          </>
        }
        totals={<ListTotals of={added.data?.totals} one="payment" words={totalWords} />}
        pager={{
          page,
          size: pageSize,
          total: found.data?.totalCount,
          isMinimum: found.data?.totalCountIsMinimum,
          onPage,
        }}
        empty={
          isFiltered ? (
            <EmptyState title="No payment matches" icon="filter">
              {found.data?.totalCountIsMinimum
                ? `Only the newest ${writeCount(limits.searchReadMax)} were read: choose earlier days.`
                : 'Remove a filter, or search for another part of the order or the name.'}
            </EmptyState>
          ) : (
            <EmptyState title="No payments yet" icon="payments">
              A payment appears here as soon as a customer chooses a bank or a card.{' '}
              <Link to={address('links')}>Make a payment link</Link>,{' '}
              <Link to={address('till')}>open the till</Link>, or use the API.
            </EmptyState>
          )
        }
      />
    </>
  );
};

type BankNames = Readonly<Record<string, string>>;

const useBankNames = (): BankNames => {
  const banks = useOperation(listInstitutions).data ?? [];
  return Object.fromEntries(banks.map(({ id, name }) => [id, name]));
};

const method = (
  { transactionType, cardPaymentDetails, institutionId }: Transaction,
  names: BankNames,
): string =>
  transactionType === 'CARD'
    ? (cardPaymentDetails?.cardType ?? 'Card')
    : (names[institutionId ?? ''] ?? 'Bank');

const columnsWith = (
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

const exportColumnsWith = (banks: BankNames): readonly CsvColumn<Transaction>[] => [
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

const storeOf = ({ merchantName, storeDetails }: Transaction): string =>
  storeNameAt(merchantName, storeDetails.locationName);

const noFilters = Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]));

/** By institution id. */
const BanksField = ({ chosen = [], choose }: FilterField<readonly string[]>): ReactNode => {
  const names = useBankNames();
  if (Object.keys(names).length === 0 && chosen.length === 0) return null;
  return (
    <ChoiceMenu
      label="Bank"
      words={names}
      chosen={chosen}
      onChoose={(several) => choose(several.length > 0 ? several : undefined)}
    />
  );
};
