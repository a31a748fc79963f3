import { limits, listCustomers, type ReplyOf } from '@florin/contract';
import { addUpCustomers } from '@florin/contract/dashboard/index.ts';
import { lazy, type ReactNode, Suspense } from 'react';
import { callOperation } from '../call/call-operation.ts';
import { useAddress, useMay, useOperation } from '../call/use-operation.ts';
import { type Column, DataTable, fileColumns } from '../parts/data-table.tsx';
import { ExportButton } from '../parts/export-button.tsx';
import { EmptyState, PageTitle } from '../parts/layout.tsx';
import { writePhone } from '../parts/numbers.ts';
import { Found } from '../parts/sort-and-totals.tsx';
import { searchFor, useFilters } from '../parts/use-filters.tsx';

// With its form no part of the first load.
const NewCustomer = lazy(async () => ({
  default: (await import('./customer-form.tsx')).NewCustomer,
}));

type Customer = ReplyOf<typeof listCustomers>['data'][number];
type Sums = ReplyOf<typeof addUpCustomers>['data'][number];
/** What they have paid comes after who they are. */
type Row = Customer & { readonly sums: Sums | undefined };

const pageSize = 25;

const isLater = (): boolean => true;

const columns: readonly Column<Row>[] = [
  { id: 'name', title: 'Name', isMain: true, cell: ({ fullName }) => fullName },
  { id: 'email', title: 'Email', isSecond: true, cell: ({ email }) => email },
  { id: 'spent', title: 'Spent', isMain: true, pounds: ({ sums }) => sums?.spent, isLater },
  { id: 'payments', title: 'Payments', isRight: true, cell: ({ sums }) => sums?.payments, isLater },
  { id: 'last', title: 'Last payment', at: ({ sums }) => sums?.lastPaidAt, isLater },
  { id: 'phone', title: 'Phone', isExtra: true, cell: writePhone },
  {
    id: 'kind',
    title: 'Type',
    isExtra: true,
    cell: ({ type }) => (type === 'BUSINESS' ? 'Business' : 'Person'),
  },
  { id: 'city', title: 'City', isExtra: true, cell: ({ city }) => city },
  { id: 'created', title: 'Since', at: ({ createdAt }) => createdAt },
];

const idsOf = (customers: readonly Customer[]): string => customers.map(({ id }) => id).join(',');

const withSums = (customers: readonly Customer[], sums: readonly Sums[] = []): readonly Row[] => {
  const byId = new Map(sums.map((each) => [each.customerId, each]));
  return customers.map((customer) => ({ ...customer, sums: byId.get(customer.id) }));
};

/** Customers with saved cards, or who may save one. */
export const CustomersPage = (): ReactNode => {
  const address = useAddress();
  const { filters, toolbar, page, onPage } = useFilters({
    search: searchFor('Name, email or phone'),
  });
  const { search } = filters;
  const mayWrite = useMay('customers.write');
  const found = useOperation(listCustomers, { query: { page: page - 1, size: pageSize, search } });
  const customers = found.data?.data;
  const sums = useOperation(
    addUpCustomers,
    { query: { customerIds: idsOf(customers ?? []) } },
    { enabled: Boolean(customers?.length) },
  );
  return (
    <>
      <PageTitle title="Customers">
        <ExportButton
          of={found}
          fileName="customers"
          columns={[...fileColumns(columns), { title: 'Customer id', value: ({ id }) => id }]}
          readPage={async (number, signal) => {
            const query = { page: number, size: limits.pageSizeMax, search };
            const part = await callOperation(listCustomers, { query }, { signal });
            const ids = { query: { customerIds: idsOf(part.data) } };
            const added =
              part.data.length > 0 && (await callOperation(addUpCustomers, ids, { signal }));
            return { rows: withSums(part.data, added ? added.data : []), total: part.totalCount };
          }}
        />
        {mayWrite && (
          <Suspense>
            <NewCustomer />
          </Suspense>
        )}
      </PageTitle>
      <DataTable<Row>
        name="customers"
        caption="Customers"
        columns={columns}
        rowKey={({ id }) => id}
        rowLink={({ id }) => address(`customers/${id}`)}
        read={found}
        later={{ ...sums, failed: 'Not loaded' }}
        rows={customers && withSums(customers, sums.data?.data)}
        toolbar={toolbar}
        totals={<Found total={found.data?.totalCount} one="customer" />}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
        empty={
          <EmptyState
            title={search ? 'No matching customers' : 'No customers yet'}
            icon="customers"
          >
            You only need a customer to save a card and charge it later. Your program creates one
            with the API, or you do here; the card is saved on the payment page.
          </EmptyState>
        }
      />
    </>
  );
};
