import { limits, listCustomers, type ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import { callOperation } from '../call/call-operation.ts';
import { useAddress, useOperation } from '../call/use-operation.ts';
import { type Column, DataTable, fileColumns } from '../parts/data-table.tsx';
import { ExportButton } from '../parts/export-button.tsx';
import { EmptyState, PageTitle } from '../parts/layout.tsx';
import { writePhone } from '../parts/numbers.ts';
import { searchFor, useFilters } from '../parts/use-filters.tsx';

type Customer = ReplyOf<typeof listCustomers>['data'][number];

const pageSize = 25;

const columns: readonly Column<Customer>[] = [
  { id: 'name', title: 'Name', isMain: true, cell: ({ fullName }) => fullName },
  { id: 'email', title: 'Email', cell: ({ email }) => email },
  { id: 'phone', title: 'Phone', cell: writePhone },
  { id: 'kind', title: 'Kind', cell: ({ type }) => (type === 'BUSINESS' ? 'Business' : 'Person') },
  { id: 'city', title: 'City', isExtra: true, cell: ({ city }) => city },
  { id: 'created', title: 'Since', at: ({ createdAt }) => createdAt },
];

/** Customers with saved cards, or who may save one. */
export const CustomersPage = (): ReactNode => {
  const address = useAddress();
  const { filters, toolbar, page, onPage } = useFilters({
    search: searchFor('Name, email or phone'),
  });
  const { search } = filters;
  const found = useOperation(listCustomers, { query: { page: page - 1, size: pageSize, search } });
  return (
    <>
      <PageTitle title="Customers">
        <ExportButton
          fileName="customers"
          columns={[...fileColumns(columns), { title: 'Customer id', value: ({ id }) => id }]}
          readPage={async (number, signal) => {
            const query = { page: number, size: limits.pageSizeMax, search };
            const part = await callOperation(listCustomers, { query }, { signal });
            return { rows: part.data, total: part.totalCount };
          }}
        />
      </PageTitle>
      <DataTable<Customer>
        name="customers"
        caption="Customers"
        columns={columns}
        rowKey={({ id }) => id}
        rowLink={({ id }) => address(`customers/${id}`)}
        read={found}
        toolbar={toolbar}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
        empty={
          <EmptyState title={search ? 'No customer matches' : 'No customers yet'} icon="customers">
            A customer is needed only to save a card and charge it later. Your program creates one
            with the API, and the card is saved on the payment page.
          </EmptyState>
        }
      />
    </>
  );
};
