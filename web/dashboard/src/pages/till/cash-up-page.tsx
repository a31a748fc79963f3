import type { ReplyOf } from '@florin/contract';
import { getCashUp, getStatement } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useMay, useMembership, useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable, fileColumns } from '../../parts/data-table.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { NotRead } from '../../parts/failure-notice.tsx';
import { readSearch } from '../../parts/filters.ts';
import { Choices, DetailList, EmptyState, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { countOf } from '../../parts/numbers.ts';
import { inStore } from '../../parts/store-filter.tsx';
import { MoneyText } from '../../parts/texts.tsx';
import { writeDay } from '../../parts/times.ts';
import { useFilters } from '../../parts/use-filters.tsx';

type CashUp = ReplyOf<typeof getCashUp>;
type Shift = CashUp['shifts'][number];
type Took =
  | CashUp['byTill'][number]
  | CashUp['byMethod'][number]
  | CashUp['byStore'][number]
  | CashUp['byPerson'][number];

const methodWords = { PAY_BY_BANK: 'Bank', CARD: 'Card' } as const;

const deleted = 'Deleted member';

const nameOf = (took: Took): string => {
  if ('tillName' in took) return took.tillName;
  if ('method' in took) return methodWords[took.method];
  if ('storeName' in took) return took.storeName;
  return took.name ?? deleted;
};

type Amounts = Pick<Shift, 'sales' | 'amount' | 'tips' | 'refunded' | 'total'>;

const amountColumns: readonly Column<Amounts>[] = [
  { id: 'sales', title: 'Sales', count: ({ sales }) => sales },
  { id: 'amount', title: 'Amount', pounds: ({ amount }) => amount },
  { id: 'tips', title: 'Tips', pounds: ({ tips }) => tips || null },
  { id: 'refunded', title: 'Refunded', pounds: ({ refunded }) => refunded || null },
  { id: 'total', title: 'Total', isMain: true, pounds: ({ total }) => total },
];

const columns: readonly Column<Took>[] = [
  { id: 'name', title: 'Name', isMain: true, cell: nameOf },
  ...amountColumns,
];

const shiftColumns: readonly Column<Shift>[] = [
  { id: 'name', title: 'Who', isMain: true, cell: ({ name }) => name ?? deleted },
  {
    id: 'day',
    title: 'Day',
    cell: ({ day }) => <span className="figures">{writeDay(day)}</span>,
    inFile: ({ day }) => day,
  },
  { id: 'store', title: 'Store', cell: ({ storeName }) => storeName },
  { id: 'bank', title: 'By bank', pounds: ({ bankTotal }) => bankTotal || null },
  { id: 'card', title: 'By card', pounds: ({ cardTotal }) => cardTotal || null },
  ...amountColumns,
];

const inDay = { read: readSearch.day };
const filters = { day: inDay, to: inDay, ...inStore };

/** At the end of a day, or of a month: what the tills took, and who took it. */
export const CashUpPage = (): ReactNode => {
  const address = useAddress();
  const business = useMembership()?.businessName ?? '';
  const { filters: chosen, change, toolbar } = useFilters(filters);
  const { day = chosen.to, to, storeId } = chosen;
  const read = useOperation(getCashUp, { query: { day, to, storeId } });
  const { data: cashUp } = read;
  return (
    <>
      <PageTitle
        title={cashUp ? `Cash-up of ${wordsOfDays(cashUp)}` : 'Cash-up'}
        above={<Link to={address('till')}>Till</Link>}
        says={business}
      >
        <Button variant="default" onClick={() => print()}>
          Print or save as PDF
        </Button>
        <ExportButton
          fileName={`shifts-${cashUp?.day ?? ''}-${cashUp?.to ?? ''}`}
          columns={fileColumns(shiftColumns)}
          readPage={async () => ({ rows: cashUp?.shifts ?? [], total: 0, goesOn: false })}
        />
      </PageTitle>
      <Choices>
        <DayField
          label="From day"
          value={day ?? cashUp?.day}
          max={to ?? cashUp?.to}
          onDay={(first) => change({ day: first, to: to ?? cashUp?.to })}
        />
        <DayField
          label="To day"
          value={to ?? cashUp?.to}
          min={day ?? cashUp?.day}
          onDay={(last) => change({ day: day ?? cashUp?.day, to: last })}
        />
        {toolbar}
      </Choices>
      <NotRead of={read} />
      {cashUp && <AllSales of={cashUp} storeId={storeId} />}
      {cashUp && <Totals cashUp={cashUp} />}
    </>
  );
};

type AllSalesProps = { readonly of: CashUp; readonly storeId: string | undefined };

/** Of these days, whatever they were made with: the tills are a part of them. */
const AllSales = ({ of: { day, to }, storeId }: AllSalesProps): ReactNode => {
  const address = useAddress();
  const mayRead = useMay('money.read');
  const days = { from: day, to, ...(storeId && { storeId }) };
  const { data } = useOperation(getStatement, { query: days }, { enabled: mayRead });
  return (
    <p className="soft">
      Till sales only.{' '}
      {data && (
        <>
          All sales{storeId && ' of this store'} {day === to ? 'of the day' : 'of these days'}:{' '}
          <Link to={address('home/statement')} search={days as never}>
            <MoneyText pounds={data.sold} />
          </Link>
        </>
      )}
    </p>
  );
};

const wordsOfDays = ({ day, to }: CashUp): string =>
  day === to ? writeDay(day) : `${writeDay(day)} to ${writeDay(to)}`;

/** What is not paid was a sale too. */
const Nothing = ({ unpaid }: { readonly unpaid: number }): ReactNode => {
  const address = useAddress();
  if (unpaid === 0)
    return (
      <EmptyState title="No till sales on these days" icon="till">
        Choose other days or another store. What is sold at a till is added up here by method and by
        person.
      </EmptyState>
    );
  return (
    <EmptyState title="No paid till sales yet" icon="till">
      {countOf(unpaid, 'sale is', 'sales are')} not paid: open, expired or stopped.{' '}
      <Link to={address('till')}>See the latest till sales</Link>
    </EmptyState>
  );
};

const Totals = ({ cashUp }: { readonly cashUp: CashUp }): ReactNode => (
  <>
    <SectionCard title={cashUp.day === cashUp.to ? 'The day' : 'These days'}>
      <DetailList
        of={[
          ['Sales', String(cashUp.sales)],
          ['Amount', <MoneyText key="amount" pounds={cashUp.amount} />],
          ['Tips', <MoneyText key="tips" pounds={cashUp.tips} />],
          ['Refunded', <MoneyText key="refunded" pounds={cashUp.refunded} />],
          ['Total', <MoneyText key="total" pounds={cashUp.total} />],
          ['Not paid', String(cashUp.unpaid)],
        ]}
      />
    </SectionCard>
    {cashUp.sales === 0 ? (
      <div className="card">
        <Nothing unpaid={cashUp.unpaid} />
      </div>
    ) : (
      <>
        <Part title="By method" rows={cashUp.byMethod} />
        {cashUp.byStore.length > 1 && <Part title="By store" rows={cashUp.byStore} />}
        <Part title="By till" rows={cashUp.byTill} />
        <Part title="By person" rows={cashUp.byPerson} />
        <SectionCard title="Shifts">
          <DataTable<Shift>
            isPlain
            name="cash-up-shifts"
            caption="What each person sold on a day in a store"
            columns={shiftColumns}
            rows={cashUp.shifts}
            rowKey={({ day, storeName, name, total }) => `${day} ${storeName} ${name} ${total}`}
            empty={null}
          />
        </SectionCard>
      </>
    )}
  </>
);

const Part = ({ title, rows }: { readonly title: string; readonly rows: readonly Took[] }) => (
  <SectionCard title={title}>
    <DataTable<Took>
      isPlain
      name={`cash-up-${title}`}
      caption={title}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${nameOf(row)} ${row.sales} ${row.total}`}
      empty={null}
    />
  </SectionCard>
);
