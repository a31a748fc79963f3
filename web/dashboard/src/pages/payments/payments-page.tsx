import {
  type BodyOf,
  limits,
  listInstitutions,
  type ReplyOf,
  searchTransactions,
} from '@florin/contract';
import { Button, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { amountColumn, type Column, DataTable, statusColumn } from '../../parts/data-table.tsx';
import { type CsvColumn, ExportButton } from '../../parts/export-button.tsx';
import { ChoiceMenu, OneChoice, PeriodFields, SearchField } from '../../parts/filter-fields.tsx';
import { readSearch, type Search, useFilters } from '../../parts/filters.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { parsePounds, writeCount } from '../../parts/numbers.ts';
import { SavedViews } from '../../parts/saved-views.tsx';

export type Transaction = ReplyOf<typeof searchTransactions>['data'][number];

const pageSize = 25;
const exportPageSize = 100;

type Status = NonNullable<BodyOf<typeof searchTransactions>['status']>[number];

/** Of transactions: before a bank is chosen there is none, and the other two are never a status of one. */
const statusWords = {
  COMPLETED: 'Paid',
  PENDING: 'Pending',
  AUTHORIZED: 'Authorised',
  AWAITING_AUTHORIZATION: 'At the bank',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
  EXPIRED: 'Expired',
} as const satisfies Record<
  Exclude<Status, 'PAYMENT_NOT_INITIATED' | 'REFUNDED' | 'REJECTED'>,
  string
>;

type Method = NonNullable<BodyOf<typeof searchTransactions>['paymentMethod']>[number];

const methodWords = { PAY_BY_BANK: 'Bank', CARD: 'Card' } as const satisfies Record<Method, string>;

const read = (search: Search) => ({
  ...readSearch.period(search),
  search: readSearch.text(search, 'search'),
  status: readSearch.choices(search, 'status', statusWords),
  method: readSearch.choice(search, 'method', methodWords),
  /** Institution ids. */
  bank: readSearch.words(search, 'bank'),
  /** Pounds. */
  min: readSearch.pounds(search, 'min'),
  max: readSearch.pounds(search, 'max'),
  page: readSearch.page(search),
});

type Filters = ReturnType<typeof read>;

/** The search that shows them. */
const searchOf = (filters: Filters): BodyOf<typeof searchTransactions> => {
  const { search, status, method, bank, min, max, from, to } = filters;
  return {
    ...(search && { search }),
    ...(status && { status: [...status] }),
    ...(method && { paymentMethod: [method] }),
    ...(bank && { institutionIds: [...bank] }),
    ...(min !== undefined && { minAmount: min }),
    ...(max !== undefined && { maxAmount: max }),
    ...(from && { fromDate: from }),
    ...(to && { toDate: to }),
  };
};

/** Every payment, the newest first. The address holds the filters, so a view can be shared. */
export const PaymentsPage = (): ReactNode => {
  const address = useAddress();
  const { filters, change } = useFilters(read);
  const { page = 1 } = filters;
  const body = searchOf(filters);
  const found = useOperation(searchTransactions, {
    query: { page: page - 1, size: pageSize },
    body,
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
        rowLink={(row) => address(`payments/${row.paymentRequestId}`)}
        read={found}
        toolbar={
          <FilterBar filters={filters} onChange={(changes) => change(changes, { replace: true })} />
        }
        pager={{
          page,
          size: pageSize,
          total: found.data?.totalCount,
          isMinimum: found.data?.totalCountIsMinimum,
          onPage: (next) => change({ page: next }),
        }}
        empty={
          hasFilters(filters) ? (
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
    pounds: ({ totalRefundAmount }) => totalRefundAmount || null,
  },
  { id: 'created', title: 'When', at: ({ createdAt }) => createdAt },
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
    code: ({ paymentRequestId }) => paymentRequestId,
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

const none = {
  search: undefined,
  status: undefined,
  method: undefined,
  bank: undefined,
  min: undefined,
  max: undefined,
  from: undefined,
  to: undefined,
} as const;

const hasFilters = ({ page: _, ...filters }: Filters): boolean =>
  Object.values(filters).some((value) => value !== undefined);

type FilterBarProps = {
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
};

const FilterBar = ({ filters, onChange }: FilterBarProps): ReactNode => {
  const { search = '', status = [], method, bank = [], min, max, from, to } = filters;
  const banks = useOperation(listInstitutions).data ?? [];
  return (
    <>
      <SearchField
        label="Order, customer, amount or id"
        value={search}
        onSearch={(text) => onChange({ search: text || undefined })}
      />
      <ChoiceMenu
        label="Status"
        words={statusWords}
        chosen={status}
        onChoose={(chosen) => onChange({ status: chosen.length > 0 ? chosen : undefined })}
      />
      <OneChoice
        label="Paid by"
        words={methodWords}
        chosen={method}
        onChoose={(method) => onChange({ method })}
      />
      {(banks.length > 0 || bank.length > 0) && (
        <ChoiceMenu
          label="Bank"
          words={Object.fromEntries(banks.map(({ id, name }) => [id, name]))}
          chosen={bank}
          onChoose={(chosen) => onChange({ bank: chosen.length > 0 ? chosen : undefined })}
        />
      )}
      <AmountField label="From £" value={min} onAmount={(pounds) => onChange({ min: pounds })} />
      <AmountField label="To £" value={max} onAmount={(pounds) => onChange({ max: pounds })} />
      <PeriodFields period={{ from, to }} onChange={onChange} />
      {hasFilters(filters) && (
        <Button variant="subtle" onClick={() => onChange(none)}>
          Clear
        </Button>
      )}
    </>
  );
};

type AmountFieldProps = {
  readonly label: string;
  /** In pounds. */
  readonly value: number | undefined;
  readonly onAmount: (pounds: number | undefined) => void;
};

const afterTypingMs = 400;

/** Pounds as people write them: 12, 12.5 or £1,234.50. */
const AmountField = ({ label, value, onAmount }: AmountFieldProps): ReactNode => {
  const [text, setText] = useState(write(value));
  const pence = parsePounds(text);
  const isWrong = text.trim() !== '' && pence === null;
  const sent = useRef(value);
  const choose = useDebouncedCallback((pounds: number | undefined) => {
    sent.current = pounds;
    onAmount(pounds);
  }, afterTypingMs);
  // The way back changes the text. Our own amount, shown late, takes no digit that was typed since.
  useEffect(() => {
    if (value !== sent.current) setText(write(value));
    sent.current = value;
  }, [value]);
  return (
    <TextInput
      aria-label={label}
      inputMode="decimal"
      maxLength={12}
      w="8.5rem"
      leftSection={<span className="soft">{label}</span>}
      leftSectionWidth="3.75rem"
      leftSectionPointerEvents="none"
      value={text}
      error={isWrong ? 'Pounds, such as 12.50' : undefined}
      onChange={({ currentTarget }) => {
        const typed = currentTarget.value;
        setText(typed);
        if (typed.trim() === '' || parsePounds(typed) !== null) choose(poundsOf(typed));
      }}
    />
  );
};

const poundsOf = (text: string): number | undefined => {
  const pence = parsePounds(text);
  return pence === null ? undefined : pence / 100;
};

const write = (pounds: number | undefined): string => (pounds === undefined ? '' : String(pounds));
