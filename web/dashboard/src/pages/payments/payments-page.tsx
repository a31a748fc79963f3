import { type BodyOf, limits, listInstitutions, searchTransactions } from '@florin/contract';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { ChoiceMenu } from '../../parts/filter-fields.tsx';
import { readSearch } from '../../parts/filters.ts';
import { Came, useHeldRows } from '../../parts/held-rows.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { writeCount } from '../../parts/numbers.ts';
import { SavedViews } from '../../parts/saved-views.tsx';
import { ListTotals, sortedBy } from '../../parts/sort-and-totals.tsx';
import { inStores, useStoreColumn } from '../../parts/store-filter.tsx';
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
import {
  type BankNames,
  columnsWith,
  exportColumnsWith,
  keyOf,
  storeOf,
  type Transaction,
} from './payment-columns.tsx';
import { paymentCopies } from './payment-copies.tsx';

const pageSize = 25;
const lookEveryMs = 5_000;
/** They cost more than the rows. */
const addEveryMs = 15_000;
const exportPageSize = 100;

type Status = NonNullable<BodyOf<typeof searchTransactions>['status']>[number];

/** Of transactions: before a bank is chosen there is none, and the other two are never a status of one. */
const statusWords = {
  COMPLETED: 'All paid, including since refunded or disputed',
  PAID: 'Paid, and nothing since',
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
  const { found, added, rows, came, show } = usePayments(body, page);
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
        columns={[...columnsWith(banks, rows ?? []), storeColumn, paymentCopies]}
        rows={rows}
        rowKey={keyOf}
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
        totals={
          <ListTotals
            of={added.data?.totals}
            one="payment"
            words={totalWords}
            beside={<Came count={came} one="payment" onShow={show} />}
          />
        }
        pager={{
          page,
          size: pageSize,
          total: found.data?.totalCount,
          isMinimum: found.data?.totalCountIsMinimum,
          onPage,
        }}
        empty={
          isFiltered ? (
            <NoneFound
              search={chosen.search}
              isCut={found.data?.totalCountIsMinimum}
              onClear={() => change(noFilters)}
            />
          ) : (
            <NoneYet />
          )
        }
      />
    </>
  );
};

/** The rows stay where they are while they are looked at; what all pages add up to. */
const usePayments = (body: BodyOf<typeof searchTransactions>, page: number) => {
  const found = useOperation(
    searchTransactions,
    { query: { page: page - 1, size: pageSize }, body },
    { refetchEveryMs: page === 1 && lookEveryMs },
  );
  const { orderBy: _, ...filtered } = body;
  const added = useOperation(
    searchTransactions,
    { query: { page: 0, size: 1 }, body: { ...filtered, totals: true } },
    { refetchEveryMs: addEveryMs },
  );
  return { found, added, ...useHeldRows(found, JSON.stringify([body, page]), keyOf) };
};

type NoneFoundProps = {
  readonly search: string | undefined;
  readonly isCut: boolean | undefined;
  readonly onClear: () => void;
};

const NoneFound = ({ search, isCut, onClear }: NoneFoundProps): ReactNode => (
  <EmptyState
    title={search ? `Nothing for “${search}”` : 'No matching payments'}
    icon="filter"
    act={
      <Button variant="default" mt="sm" onClick={onClear}>
        Show all payments
      </Button>
    }
  >
    {isCut
      ? `Only the newest ${writeCount(limits.searchReadMax)} were searched: choose earlier dates.`
      : 'Try another search or remove a filter.'}
  </EmptyState>
);

const NoneYet = (): ReactNode => {
  const address = useAddress();
  return (
    <EmptyState title="No payments yet" icon="payments">
      A payment appears here as soon as a customer chooses a bank or a card.{' '}
      <Link to={address('links')}>Create a payment link</Link>,{' '}
      <Link to={address('till')}>open the till</Link>, or use the API.
    </EmptyState>
  );
};

const useBankNames = (): BankNames => {
  const banks = useOperation(listInstitutions).data ?? [];
  return Object.fromEntries(banks.map(({ id, name }) => [id, name]));
};

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
