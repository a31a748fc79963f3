import { listCustomers, type ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import { useAddress, useOperation } from '../call/use-operation.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { SearchField } from '../parts/filter-fields.tsx';
import { readSearch, type Search, useFilters } from '../parts/filters.ts';
import { EmptyState, PageTitle } from '../parts/layout.tsx';
import { writePhone } from '../parts/numbers.ts';

type Customer = ReplyOf<typeof listCustomers>['data'][number];

const pageSize = 25;

const read = (search: Search) => ({
  search: readSearch.text(search, 'search'),
  page: readSearch.page(search),
});

const columns: readonly Column<Customer>[] = [
  { id: 'name', title: 'Name', isMain: true, cell: ({ fullName }) => fullName },
  { id: 'email', title: 'E-mail', cell: ({ email }) => email },
  { id: 'phone', title: 'Phone', cell: writePhone },
  { id: 'kind', title: 'Kind', cell: ({ type }) => (type === 'BUSINESS' ? 'Business' : 'Person') },
  { id: 'city', title: 'City', isExtra: true, cell: ({ city }) => city },
  { id: 'created', title: 'Since', at: ({ createdAt }) => createdAt },
];

/** Customers with saved cards, or who may save one. */
export const CustomersPage = (): ReactNode => {
  const address = useAddress();
  const { filters, change, onPage } = useFilters(read);
  const { search, page = 1 } = filters;
  const found = useOperation(listCustomers, { query: { page: page - 1, size: pageSize, search } });
  return (
    <>
      <PageTitle title="Customers" />
      <DataTable<Customer>
        name="customers"
        caption="Customers"
        columns={columns}
        rows={found.data?.data}
        rowKey={({ id }) => id}
        rowLink={({ id }) => address(`customers/${id}`)}
        read={found}
        toolbar={
          <SearchField
            label="Name, e-mail or phone"
            value={search ?? ''}
            onSearch={(text) => change({ search: text || undefined })}
          />
        }
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
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
