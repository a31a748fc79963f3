import type { ReplyOf } from '@florin/contract';
import { getMoney, listMoneyRows } from '@florin/contract/dashboard/index.ts';
import { NativeSelect } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import {
  amountColumn,
  type Column,
  DataTable,
  fileColumns,
  timeColumn,
} from '../../parts/data-table.tsx';
import { ExportButton, readOn } from '../../parts/export-button.tsx';
import { typing } from '../../parts/fields.ts';
import { PageTitle } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { describeStatus } from '../../parts/status-badge.tsx';
import { inStore, useStoreColumn } from '../../parts/store-filter.tsx';
import { continueInAddress } from '../../parts/table-pager.tsx';
import { writeDay, writeSpan } from '../../parts/times.ts';
import { type FilterField, inAddress, inPeriod, useFilters } from '../../parts/use-filters.tsx';
import { figureTitles, type MoneyFigure } from './figure-titles.ts';

export type MoneyRow = ReplyOf<typeof listMoneyRows>['data'][number];

const pageSize = 50;

const filters = {
  figure: {
    ...inAddress.choice(figureTitles),
    isInView: true,
    field: ({ chosen = 'SOLD', choose }: FilterField<MoneyFigure>) => (
      <NativeSelect
        aria-label="Figure"
        data={Object.entries(figureTitles).map(([value, label]) => ({ value, label }))}
        {...typing(chosen, (figure) => choose(figure as MoneyFigure))}
      />
    ),
  },
  ...inPeriod,
  ...inStore,
  before: inAddress.text,
};

const columns: readonly Column<MoneyRow>[] = [
  amountColumn(({ amount }) => amount),
  {
    id: 'reason',
    title: 'Reason',
    isMain: true,
    isLong: true,
    cell: ({ reason }) => (
      <>
        {reasonWords(reason)}
        {reason in whyOf && <span className="soft"> · {whyOf[reason]}</span>}
      </>
    ),
    inFile: ({ reason }) => reasonWords(reason),
  },
  { id: 'order', title: 'Order', isSecond: true, cell: ({ orderId }) => orderId },
  { ...timeColumn(({ occurredAt }) => occurredAt), isObvious: true },
  { id: 'customer', title: 'Customer', isExtra: true, cell: ({ customerName }) => customerName },
  {
    id: 'payout',
    title: 'Payout',
    isExtra: true,
    isObvious: true,
    cell: ({ payoutReference }) => payoutReference,
  },
];

/** As refunds are called in their own list. */
const refundReasons: Readonly<Record<string, string>> = {
  REFUND_HANDED_OVER: 'Refunded, on the way',
  REFUND_COMPLETED: 'Refunded',
};

const reasonWords = (reason: string): string =>
  refundReasons[reason] ?? describeStatus(reason).words;

/** What would be a riddle among the others. */
const whyOf: Readonly<Record<string, string>> = {
  REFUND_RETURNED: 'sent back by the bank',
};

const daysOf = (from: string | undefined, to: string | undefined): string => {
  if (from && to) return writeSpan({ from, to });
  if (from) return `from ${writeDay(from)}`;
  return to ? `up to ${writeDay(to)}` : 'all time';
};

/** What a figure of the money page is the sum of, entry by entry. */
export const MoneyRowsPage = (): ReactNode => {
  const address = useAddress();
  const storeColumn = useStoreColumn<MoneyRow>(({ storeName }) => storeName);
  const { filters: chosen, change, toolbar } = useFilters(filters);
  const { figure = 'SOLD' } = chosen;
  const { before: _, ...filtered } = chosen;
  const query = { ...chosen, figure, limit: pageSize };
  const { from, to, storeId } = chosen;
  const isOfAll = from === undefined && to === undefined;
  const isWhole = storeId === undefined && (isOfAll || (from !== undefined && to !== undefined));
  const money = useOperation(getMoney, { query: { from, to } }, { enabled: isWhole });
  const of = sumsOf[figure];
  const sums =
    isWhole && of && money.data
      ? { day: money.data[of].amount, all: money.data.balance[of] }
      : null;
  const sum = isOfAll ? sums?.all : sums?.day;
  const found = useOperation(listMoneyRows, { query });
  const reasons = new Set(found.data?.data.map(({ reason }) => reason));
  // Of one kind alone: the title has said it.
  const shown = columns.filter(({ id }) => id !== 'reason' || reasons.size > 1);
  return (
    <>
      <PageTitle
        title={figureTitles[figure]}
        above={<Link to={address('home')}>Home</Link>}
        says={`What makes up this figure: ${daysOf(from, to)}`}
      >
        <ExportButton
          of={found}
          fileName={`entries-${figure.toLowerCase()}`}
          columns={fileColumns([...columns, storeColumn])}
          readPage={readOn(listMoneyRows, { ...filtered, figure })}
        />
      </PageTitle>
      <DataTable<MoneyRow>
        name="money-rows"
        caption={`${figureTitles[figure]}, the newest first`}
        columns={[...shown, storeColumn]}
        rowKey={({ resourceId, reason, occurredAt, amount }) =>
          `${resourceId} ${reason} ${occurredAt} ${amount}`
        }
        rowLink={(row) => address(pathOf(row))}
        read={found}
        toolbar={toolbar}
        totals={
          sum !== undefined && (
            <p className="figures">
              Total <strong>{writePounds(sum)}</strong>
            </p>
          )
        }
        pager={continueInAddress(chosen, found.data?.nextBefore, change)}
        empty={<p className="soft">Nothing in this figure for this period.</p>}
      />
    </>
  );
};

/** Of days; the others are balances of now. */
const sumsOf: Readonly<
  Partial<Record<MoneyFigure, 'sold' | 'refunded' | 'reversed' | 'fees' | 'paidOut'>>
> = {
  ...{
    SOLD: 'sold',
    REFUNDED: 'refunded',
    REVERSED: 'reversed',
    FEES: 'fees',
    PAID_OUT: 'paidOut',
  },
};

const pathOf = ({ resource, resourceId, paymentRequestId }: MoneyRow): string =>
  resource === 'PAYOUT' ? `payouts/${resourceId}` : `payments/${paymentRequestId ?? resourceId}`;
