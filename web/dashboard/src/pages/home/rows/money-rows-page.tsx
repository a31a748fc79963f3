import type { ReplyOf } from '@florin/contract';
import { listMoneyRows } from '@florin/contract/dashboard/index.ts';
import { Select } from '@mantine/core';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage, type Tenant } from '../../../call/tenant.ts';
import { useOperation, useTenant } from '../../../call/use-operation.ts';
import { DateText } from '../../../parts/date-text.tsx';
import { describeStatus } from '../../../parts/describe-status.ts';
import { DayField } from '../../../parts/filters/day-field.tsx';
import { MoneyText } from '../../../parts/money-text.tsx';
import { PageTitle } from '../../../parts/page-title.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import type { MoneyFigure, MoneyRowFilters } from '../home-filters.ts';
import { figureTitles } from './figure-titles.ts';

export type MoneyRow = ReplyOf<typeof listMoneyRows>['data'][number];

const pageSize = 50;

const columns: readonly Column<MoneyRow>[] = [
  {
    id: 'amount',
    title: 'Amount',
    isRight: true,
    isMain: true,
    cell: ({ amount }) => <MoneyText pounds={amount} />,
  },
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
  const navigate = useNavigate();
  const { history } = useRouter();
  const filters = useSearch({ from: '/$merchantId/$environment/home/rows' });
  const { figure = 'SOLD', from, to, before } = filters;
  const query = { figure, from, to, before, limit: pageSize };
  const found = useOperation(listMoneyRows, { query });
  const change = (changes: MoneyRowFilters): void =>
    void navigate({
      to: '.',
      search: (current) => ({ ...current, before: undefined, ...changes }),
    });
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
            <DayField
              label="From day"
              value={from}
              max={to}
              onDay={(day) => change({ from: day })}
            />
            <DayField label="To day" value={to} min={from} onDay={(day) => change({ to: day })} />
          </>
        }
        pager={{
          hasBefore: before !== undefined,
          hasMore: Boolean(found.data?.nextBefore),
          onBefore: () => history.back(),
          onMore: () => change({ before: found.data?.nextBefore ?? undefined }),
        }}
        empty={<p className="soft">Nothing is part of this figure in these days.</p>}
      />
    </>
  );
};

const linkOf = (row: MoneyRow, tenant: Tenant): string => {
  if (row.resource === 'PAYOUT') return addressOfPage(tenant, `payouts/${row.resourceId}`);
  return addressOfPage(tenant, `payments/${row.paymentRequestId ?? row.resourceId}`);
};
