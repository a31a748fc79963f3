import type { ReplyOf } from '@florin/contract';
import { listTillSales } from '@florin/contract/dashboard/index.ts';
import { type ReactNode, useState } from 'react';
import { addressOfPage, type Tenant } from '../../call/tenant.ts';
import { useOperation } from '../../call/use-operation.ts';
import { DateText } from '../../parts/date-text.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { MoneyText } from '../../parts/money-text.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { wordsOf } from './describe-sale.ts';

type Sale = ReplyOf<typeof listTillSales>['data'][number];

const pageSize = 10;
const lookEveryMs = 5_000;

const columns: readonly Column<Sale>[] = [
  {
    id: 'amount',
    title: 'Amount',
    isRight: true,
    isMain: true,
    cell: ({ amount, tipAmount }) => <MoneyText pounds={amount + (tipAmount ?? 0)} />,
  },
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: (sale) => <StatusBadge status={sale.status} words={wordsOf(sale)} />,
  },
  { id: 'order', title: 'Order', cell: ({ orderId }) => orderId },
  { id: 'notes', title: 'Note', cell: ({ notes }) => notes },
  { id: 'by', title: 'Sold by', cell: ({ madeBy }) => madeBy },
  { id: 'at', title: 'At', cell: ({ createdAt }) => <DateText at={createdAt} /> },
];

type LastSalesProps = {
  readonly tenant: Tenant;
  readonly tillName: string;
  readonly storeId: string;
};

export const LastSales = ({ tenant, tillName, storeId }: LastSalesProps): ReactNode => {
  // The first page has no `before`; the last entry is that of the page in view.
  const [befores, setBefores] = useState<readonly string[]>([]);
  const before = befores.at(-1);
  const named = tillName.trim();
  const { data, error, refetch } = useOperation(
    listTillSales,
    {
      query: {
        limit: pageSize,
        ...(named && { tillName: named }),
        ...(storeId && { storeId }),
        ...(before && { before }),
      },
    },
    { refetchEveryMs: lookEveryMs },
  );
  const next = data?.nextBefore;
  return (
    <DataTable<Sale>
      isPlain
      name="till-sales"
      caption="Sales of this till, the newest first"
      columns={columns}
      rows={data?.data}
      failure={error}
      onRetry={() => void refetch()}
      rowKey={({ paymentRequestId }) => paymentRequestId}
      rowLink={({ paymentRequestId }) => addressOfPage(tenant, `till/${paymentRequestId}`)}
      pager={{
        hasMore: Boolean(next),
        hasBefore: befores.length > 0,
        onMore: () => next && setBefores([...befores, next]),
        onBefore: () => setBefores(befores.slice(0, -1)),
      }}
      empty={
        <EmptyState title="No sales yet" icon="till">
          <p>Enter an amount and show the code. What this till has sold appears here.</p>
        </EmptyState>
      }
    />
  );
};
