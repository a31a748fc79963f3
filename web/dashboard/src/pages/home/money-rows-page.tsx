import type { ReplyOf } from '@florin/contract';
import { listMoneyRows } from '@florin/contract/dashboard/index.ts';
import { Select } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage, type Tenant } from '../../call/tenant.ts';
import { useOperation, useTenant } from '../../call/use-operation.ts';
import { PeriodFields } from '../../parts/filter-fields.tsx';
import { PageTitle } from '../../parts/layout.tsx';
import { describeStatus } from '../../parts/status-badge.tsx';
import { amountColumn } from '../../parts/table/columns.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { continueInAddress, useFilterChange } from '../../parts/table/table-pager.tsx';
import { DateText } from '../../parts/texts.tsx';
import type { MoneyFigure, MoneyRowFilters } from '../../routes/tenant-filters.ts';
import { figureTitles } from './figure-titles.ts';

export type MoneyRow = ReplyOf<typeof listMoneyRows>['data'][number];

const pageSize = 50;

const columns: readonly Column<MoneyRow>[] = [
  amountColumn(({ amount }) => amount),
  {
    id: 'reason',
    title: 'Because of',
    isMain: true,
    cell: ({ reason }) => describeStatus(reason).words,
  },
  { id: 'order', title: 'Order', cell: ({ orderId }) => orderId },
  { id: 'when', title: 'When', cell: ({ occurredAt }) => <DateText at={occurredAt} /> },
];

/** What a figure of the money page is the sum of, entry by entry. */
export const MoneyRowsPage = (): ReactNode => {
  const tenant = useTenant();
  const filters = useSearch({ from: '/$merchantId/$environment/home/rows' });
  const { figure = 'SOLD', from, to, before } = filters;
  const query = { figure, from, to, before, limit: pageSize };
  const found = useOperation(listMoneyRows, { query });
  const change = useFilterChange<MoneyRowFilters>();
  if (!tenant) return null;
  return (
    <>
      <PageTitle
        title={figureTitles[figure]}
        above={<Link to={addressOfPage(tenant, 'home')}>Home</Link>}
        says="The entries of the ledger that add up to the figure"
      />
      <DataTable<MoneyRow>
        name="money-rows"
        caption={`${figureTitles[figure]}, the newest first`}
        columns={columns}
        rows={found.data?.data}
        rowKey={({ resourceId, reason, occurredAt, amount }) =>
          `${resourceId} ${reason} ${occurredAt} ${amount}`
        }
        rowLink={(row) => linkOf(row, tenant)}
        isLoading={found.isFetching}
        failure={found.error}
        onRetry={() => void found.refetch()}
        toolbar={
          <>
            <Select
              aria-label="Figure"
              data={Object.entries(figureTitles).map(([value, label]) => ({ value, label }))}
              value={figure}
              onChange={(value) => change({ figure: (value ?? 'SOLD') as MoneyFigure })}
              allowDeselect={false}
            />
            <PeriodFields period={{ from, to }} onChange={change} />
          </>
        }
        pager={continueInAddress({ before }, found.data?.nextBefore, change)}
        empty={<p className="soft">Nothing is part of this figure in these days.</p>}
      />
    </>
  );
};

const linkOf = (row: MoneyRow, tenant: Tenant): string => {
  if (row.resource === 'PAYOUT') return addressOfPage(tenant, `payouts/${row.resourceId}`);
  return addressOfPage(tenant, `payments/${row.paymentRequestId ?? row.resourceId}`);
};
