import type { ReplyOf } from '@florin/contract';
import { getStatement, listMoneyRows } from '@florin/contract/dashboard/index.ts';
import { Button, NativeSelect } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useMembership, useOperation } from '../../call/use-operation.ts';
import { amountColumn, type Column, DataTable } from '../../parts/data-table.tsx';
import { NotRead } from '../../parts/failure-notice.tsx';
import { typing } from '../../parts/fields.ts';
import { Choices, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { Badge } from '../../parts/status-badge.tsx';
import { inStore } from '../../parts/store-filter.tsx';
import { MoneyText } from '../../parts/texts.tsx';
import { dayOf, now, type Period, writeDay, writeSpan } from '../../parts/times.ts';
import { inAddress, inPeriod, useFilters } from '../../parts/use-filters.tsx';
import { methodWords } from './method-words.ts';
import type { MoneyRow } from './money-rows-page.tsx';
import { lastMonths, monthDays, writeMonth } from './months.ts';
import { StatementExports } from './statement-exports.tsx';
import classes from './statement-page.module.css';
import { Carried, PaperHead } from './statement-parts.tsx';

type Statement = ReplyOf<typeof getStatement>;
type Day = Statement['days'][number];
type Store = Statement['stores'][number];
type Method = Statement['methods'][number];

const monthsShown = 24;
const payoutsShown = 100;

const filters = {
  month: inAddress.matching(/^\d{4}-(0\d|1[0-2])$/),
  ...inPeriod,
  ...inStore,
};

/** One end alone: that day, or from it until today. */
const rangeOf = (from: string | undefined, to: string | undefined): Period => {
  const last = to ?? dayOf(now());
  return { from: from ?? last, to: last };
};

/** Days to print or to hand to an accountant: a month at first, or any range, of all stores or of one. */
export const StatementPage = (): ReactNode => {
  const name = useMembership()?.businessName ?? '';
  const { filters: chosen, change, toolbar } = useFilters(filters);
  const { from, to, storeId } = chosen;
  const months = lastMonths(dayOf(now()), monthsShown);
  const { month = months[0] ?? '' } = chosen;
  const isRange = from !== undefined || to !== undefined;
  const days = isRange ? rangeOf(from, to) : monthDays(month);
  const of = storeId ? { storeId } : { carried: true };
  const read = useOperation(getStatement, { query: { ...days, ...of } });
  const choices = [...new Set([month, ...months])].toSorted().reverse();
  const store = read.data?.stores.find((each) => each.storeId === storeId)?.storeName;
  const whose = store ? `${name}, ${store}` : name;
  // A file that is saved of it is called so.
  useDocumentTitle(`Statement, ${isRange ? writeSpan(days) : writeMonth(month)} · Florin`);
  return (
    <>
      <PageTitle
        title="Statements"
        badges={days.to >= dayOf(now()) && <Badge>So far</Badge>}
        says={whose}
      >
        <Button variant="default" onClick={() => print()}>
          Print or save as PDF
        </Button>
        <StatementExports days={days} storeId={storeId} />
      </PageTitle>
      <Choices>
        <NativeSelect
          aria-label="Month"
          data={[
            ...(isRange ? [{ value: '', label: 'Chosen days' }] : []),
            ...choices.map((value) => ({ value, label: writeMonth(value) })),
          ]}
          {...typing(isRange ? '' : month, (next) =>
            change({ month: next, from: undefined, to: undefined }),
          )}
        />
        {toolbar}
      </Choices>
      <NotRead of={read} />
      {read.data && <Sheet statement={read.data} isOfStore={storeId !== undefined} of={whose} />}
    </>
  );
};

type Amounts = Pick<Day, 'sold' | 'refunded' | 'reversed' | 'fees' | 'net' | 'tax'>;

/** What was taken off has a minus, as in the summary. */
const pounds = (id: keyof Amounts, title: string, sign: 1 | -1 = 1): Column<Amounts> => ({
  ...{ id, title, isRight: true },
  cell: (row) => <MoneyText pounds={row[id] ? sign * row[id] : null} />,
});

const amountColumns: readonly Column<Amounts>[] = [
  pounds('sold', 'Sold'),
  pounds('refunded', 'Refunded', -1),
  pounds('reversed', 'Taken back', -1),
  pounds('fees', 'Fees', -1),
  {
    id: 'net',
    title: 'Net',
    isRight: true,
    isMain: true,
    cell: ({ net }) => (
      <strong>
        <MoneyText pounds={net} />
      </strong>
    ),
  },
  pounds('tax', 'VAT in sales'),
];

/** Without columns that hold nothing in these days. */
const filled = <Row extends Amounts>(columns: readonly Column<Row>[], rows: readonly Row[]) =>
  columns.filter(
    ({ id }) => !(id in noAmounts) || rows.some((row) => row[id as keyof Amounts] !== 0),
  );

const noAmounts: Amounts = { sold: 0, refunded: 0, reversed: 0, fees: 0, net: 0, tax: 0 };

/** In whole pence, so that nothing is lost. */
const sumOf = (rows: readonly Amounts[]): Amounts => {
  const of = (id: keyof Amounts): number =>
    rows.reduce((pence, row) => pence + Math.round(row[id] * 100), 0) / 100;
  return {
    ...{ sold: of('sold'), refunded: of('refunded'), reversed: of('reversed') },
    ...{ fees: of('fees'), net: of('net'), tax: of('tax') },
  };
};

const dayColumns: readonly Column<Day>[] = [
  { id: 'day', title: 'Day', isMain: true, cell: ({ day }) => writeDay(day) },
  ...amountColumns,
];

const storeColumns: readonly Column<Store>[] = [
  {
    id: 'store',
    title: 'Store',
    isMain: true,
    cell: ({ storeName }) => storeName ?? 'No store',
  },
  ...amountColumns,
];

const methodColumns: readonly Column<Method>[] = [
  {
    id: 'method',
    title: 'Method',
    isMain: true,
    cell: ({ method }) => methodWords[method],
  },
  ...amountColumns,
];

type SheetProps = {
  readonly statement: Statement;
  readonly isOfStore: boolean;
  /** The business, and its store. */
  readonly of: string;
};

const Sheet = ({ statement, isOfStore, of }: SheetProps): ReactNode => {
  const { from, to, sold, refunded, reversed, fees, net, tax, tips, service } = statement;
  const totals = [
    ['Sold', sold],
    ['Refunded', 0 - refunded],
    ['Taken back', 0 - reversed],
    ['Fees', 0 - fees],
    ['Net', net],
    ...(tax ? [['VAT within sales', tax] as const] : []),
    ...(service ? [['Service charge within sales', service] as const] : []),
    ...(tips ? [['Tips within sales', tips] as const] : []),
  ] as const;
  return (
    <div className={classes.sheet}>
      <PaperHead of={of} from={from} to={to} />
      <SectionCard title="Summary">
        <div className={classes.summary}>
          <div>
            <h3>What you earned</h3>
            <dl className={classes.totals}>
              {totals.map(([title, amount]) => (
                <div key={title} data-net={title === 'Net' || undefined}>
                  <dt>{title}</dt>
                  <dd>
                    <MoneyText pounds={amount} />
                  </dd>
                </div>
              ))}
            </dl>
          </div>
          {statement.carried && <Carried carried={statement.carried} net={net} />}
        </div>
      </SectionCard>
      {!isOfStore && statement.stores.length > 1 && (
        <SectionCard title="By store">
          <DataTable<Store>
            isPlain
            name="statement-stores"
            caption="Money by store"
            columns={filled(storeColumns, statement.stores)}
            rows={statement.stores}
            sum={{ storeId: null, storeName: null, ...sumOf(statement.stores) }}
            rowKey={({ storeId }) => storeId ?? ''}
            empty={null}
          />
        </SectionCard>
      )}
      {statement.methods.length > 1 && (
        <SectionCard title="By payment method">
          <DataTable<Method>
            isPlain
            name="statement-methods"
            caption="Money by payment method"
            columns={filled(methodColumns, statement.methods)}
            rows={statement.methods}
            sum={{ method: 'NONE', ...sumOf(statement.methods) }}
            rowKey={({ method }) => method}
            empty={null}
          />
        </SectionCard>
      )}
      <SectionCard title="By day">
        <DataTable<Day>
          isPlain
          name="statement"
          caption="Money by day, London time"
          columns={filled(dayColumns, statement.days)}
          rows={statement.days}
          sum={statement.days.length > 1 ? { ...statement, day: '' } : undefined}
          rowKey={({ day }) => day}
          empty={<p className="soft">No money moved in this period.</p>}
        />
      </SectionCard>
      {!isOfStore && <PayoutsOf from={from} to={to} />}
    </div>
  );
};

const payoutColumns: readonly Column<MoneyRow>[] = [
  amountColumn(({ amount }) => amount),
  { id: 'reference', title: 'Bank reference', isMain: true, cell: (row) => row.payoutReference },
  { id: 'paidOut', title: 'Paid out', at: ({ occurredAt }) => occurredAt },
];

/** The entries of what was paid out: they add up to what the summary says. */
const PayoutsOf = ({ from, to }: Period): ReactNode => {
  const address = useAddress();
  const figure = 'PAID_OUT' as const;
  const read = useOperation(listMoneyRows, { query: { figure, from, to, limit: payoutsShown } });
  if (!read.data || read.data.data.length === 0) return null;
  return (
    <SectionCard title="Paid out in this period">
      <DataTable<MoneyRow>
        isPlain
        name="statement-payouts"
        caption="Payouts paid out in this period"
        columns={payoutColumns}
        read={read}
        rowKey={({ resourceId, reason, occurredAt }) => `${resourceId} ${reason} ${occurredAt}`}
        rowLink={({ resourceId }) => address(`payouts/${resourceId}`)}
        empty={null}
      />
      {read.data.nextBefore !== null && (
        <Link to={address('home/rows')} search={{ figure, from, to }}>
          See all
        </Link>
      )}
    </SectionCard>
  );
};
