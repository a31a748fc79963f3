import { limits, type ReplyOf } from '@florin/contract';
import { getMoney, listMoneyRows } from '@florin/contract/dashboard/index.ts';
import { Button, NativeSelect } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callOperation } from '../../call/call-operation.ts';
import { useAddress, useMembership, useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { type CsvColumn, csvPounds, csvTime, ExportButton } from '../../parts/export-button.tsx';
import { NotRead } from '../../parts/failure-notice.tsx';
import { typing } from '../../parts/fields.ts';
import { PageTitle, SectionCard } from '../../parts/layout.tsx';
import { describeStatus } from '../../parts/status-badge.tsx';
import { MoneyText } from '../../parts/texts.tsx';
import { dayOf, now, writeDay } from '../../parts/times.ts';
import { inAddress, useFilters } from '../../parts/use-filters.tsx';
import { figureTitles, type MoneyFigure } from './figure-titles.ts';
import { lastMonths, monthDays, writeMonth } from './months.ts';
import classes from './statement-page.module.css';

type Money = ReplyOf<typeof getMoney>;
type Day = Money['days'][number];

const monthsShown = 24;

/** A month to print or to hand to an accountant: each day, and every line behind it. */
export const StatementPage = (): ReactNode => {
  const address = useAddress();
  const name = useMembership()?.businessName ?? '';
  const { filters, change } = useFilters({ month: inAddress.matching(/^\d{4}-(0\d|1[0-2])$/) });
  const months = lastMonths(dayOf(now()), monthsShown);
  const { month = months[0] ?? '' } = filters;
  const days = monthDays(month);
  const read = useOperation(getMoney, { query: days });
  const choices = [...new Set([month, ...months])].toSorted().reverse();
  return (
    <>
      <PageTitle
        title={`Statement of ${writeMonth(month)}`}
        above={<Link to={address('home')}>Home</Link>}
        says={name}
      >
        <NativeSelect
          aria-label="Month"
          data={choices.map((value) => ({ value, label: writeMonth(value) }))}
          {...typing(month, (next) => change({ month: next }))}
        />
        <Button variant="default" onClick={() => print()}>
          Print or save as PDF
        </Button>
        <ExportButton
          fileName={`statement-${month}`}
          columns={lineColumns}
          readPage={readLines(days)}
        />
      </PageTitle>
      <NotRead of={read} />
      {read.data && <Statement money={read.data} />}
    </>
  );
};

const pounds = (id: keyof Omit<Day, 'day'>, title: string): Column<Day> => ({
  ...{ id, title, isRight: true },
  cell: (day) => <MoneyText pounds={day[id] || null} />,
});

const columns: readonly Column<Day>[] = [
  { id: 'day', title: 'Day', isMain: true, cell: ({ day }) => writeDay(day) },
  pounds('sold', 'Sold'),
  pounds('refunded', 'Refunded'),
  pounds('reversed', 'Reversed'),
  pounds('fees', 'Fees'),
  { id: 'net', title: 'Net', isRight: true, cell: (day) => <MoneyText pounds={netOf(day)} /> },
  pounds('paidOut', 'Paid out'),
];

type Amounts = Pick<Day, 'sold' | 'refunded' | 'reversed' | 'fees'>;

const netOf = ({ sold, refunded, reversed, fees }: Amounts): number =>
  [sold, -refunded, -reversed, -fees].reduce((sum, each) => sum + Math.round(each * 100), 0) / 100;

const Statement = ({ money }: { readonly money: Money }): ReactNode => {
  const { sold, refunded, reversed, fees, paidOut } = money;
  const amounts = {
    ...{ sold: sold.amount, refunded: refunded.amount },
    ...{ reversed: reversed.amount, fees: fees.amount },
  };
  const totals = [
    ['Sold', amounts.sold],
    ['Refunded', -amounts.refunded],
    ['Reversed', -amounts.reversed],
    ['Fees', -amounts.fees],
    ['Net', netOf(amounts)],
    ['Paid out in these days', paidOut.amount],
  ] as const;
  const days = money.days.filter((day) => columns.slice(1).some(({ id }) => day[id as 'sold']));
  return (
    <div className={classes.sheet}>
      <SectionCard title={`${writeDay(money.from)} to ${writeDay(money.to)}`}>
        <dl className={classes.totals}>
          {totals.map(([title, amount]) => (
            <div key={title}>
              <dt>{title}</dt>
              <dd>
                <MoneyText pounds={amount} />
              </dd>
            </div>
          ))}
        </dl>
      </SectionCard>
      <DataTable<Day>
        isPlain
        name="statement"
        caption="Money by day, by the clock of London"
        columns={columns}
        rows={days}
        rowKey={({ day }) => day}
        empty={<p className="soft">No money moved in this month.</p>}
      />
    </div>
  );
};

type Line = ReplyOf<typeof listMoneyRows>['data'][number] & { readonly sign: 1 | -1 };

/** As Xero and Excel import it: what comes in is positive, what goes off negative. */
const lineColumns: readonly CsvColumn<Line>[] = [
  { title: 'Date', value: ({ occurredAt }) => writeCsvDay(occurredAt) },
  { title: 'Amount', value: ({ amount, sign }) => csvPounds(sign * amount) },
  { title: 'Payee', value: () => null },
  { title: 'Description', value: ({ reason }) => describeStatus(reason).words },
  { title: 'Reference', value: ({ orderId }) => orderId },
  { title: 'Kind', value: ({ figure }) => figureTitles[figure as MoneyFigure] },
  { title: 'Time in London', value: ({ occurredAt }) => csvTime(occurredAt) },
  { title: 'Payment id', value: ({ paymentRequestId }) => paymentRequestId },
];

const writeCsvDay = (at: string): string => dayOf(new Date(at)).split('-').reverse().join('/');

const lineFigures = [
  ['SOLD', 1],
  ['REFUNDED', -1],
  ['REVERSED', -1],
  ['FEES', -1],
] as const satisfies readonly (readonly [MoneyFigure, 1 | -1])[];

/** One figure after the other, page by page. */
const readLines = (days: { readonly from: string; readonly to: string }) => {
  let [at, before]: [number, string | null] = [0, null];
  return async (page: number, signal: AbortSignal) => {
    if (page === 0) [at, before] = [0, null];
    const [figure, sign] = lineFigures[at] ?? lineFigures[0];
    const query = { figure, ...days, limit: limits.pageSizeMax, ...(before && { before }) };
    const part = await callOperation(listMoneyRows, { query }, { signal });
    before = part.nextBefore;
    if (before === null) at += 1;
    const rows = part.data.map((row) => ({ ...row, sign }));
    return { rows, total: 0, goesOn: at < lineFigures.length };
  };
};
