import { listCustomers, type ReplyOf } from '@florin/contract';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage } from '../call/tenant.ts';
import { useOperation, useTenant } from '../call/use-operation.ts';
import { SearchField } from '../parts/filter-fields.tsx';
import { EmptyState, PageTitle } from '../parts/layout.tsx';
import { type Column, DataTable } from '../parts/table/data-table.tsx';
import { useFilterChange } from '../parts/table/table-pager.tsx';
import { DateText } from '../parts/texts.tsx';
import { writePhone } from '../parts/write-numbers.ts';
import type { CustomerFilters } from '../routes/tenant-filters.ts';

type Customer = ReplyOf<typeof listCustomers>['data'][number];

const pageSize = 25;

const columns: readonly Column<Customer>[] = [
  { id: 'name', title: 'Name', isMain: true, cell: ({ fullName }) => fullName },
  { id: 'email', title: 'E-mail', cell: ({ email }) => email },
  { id: 'phone', title: 'Phone', cell: writePhone },
  {
    id: 'kind',
    title: 'Kind',
    cell: ({ type }) => (type === 'BUSINESS' ? 'Business' : 'Person'),
  },
  { id: 'city', title: 'City', isExtra: true, cell: ({ city }) => city },
  { id: 'created', title: 'Since', cell: ({ createdAt }) => <DateText at={createdAt} /> },
];

/** Customers with saved cards, or who may save one. */
export const CustomersPage = (): ReactNode => {
  const tenant = useTenant();
  const filters = useSearch({ from: '/$merchantId/$environment/customers' });
  const { search, page = 1 } = filters;
  const found = useOperation(listCustomers, { query: { page: page - 1, size: pageSize, search } });
  const change = useFilterChange<CustomerFilters>();
  return (
    <>
      <PageTitle title="Customers" />
      <DataTable<Customer>
        name="customers"
        caption="Customers"
        columns={columns}
        rows={found.data?.data}
        rowKey={({ id }) => id}
        rowLink={({ id }) => (tenant ? addressOfPage(tenant, `customers/${id}`) : '/')}
        isLoading={found.isFetching}
        failure={found.error}
        onRetry={() => void found.refetch()}
        toolbar={
          <SearchField
            label="Name, e-mail or phone"
            value={search ?? ''}
            onSearch={(text) => change({ search: text || undefined })}
          />
        }
        pager={{
          page,
          size: pageSize,
          total: found.data?.totalCount ?? 0,
          onPage: (next) => change({ page: next }),
        }}
        empty={
          <EmptyState title={search ? 'No customer matches' : 'No customers yet'} icon="customers">
            <p>
              A customer is needed only to save a card and charge it later. Your program creates one
              with the API, and the card is saved on the payment page.
            </p>
          </EmptyState>
        }
      />
    </>
  );
};
