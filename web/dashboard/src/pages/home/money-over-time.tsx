import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress } from '../../call/use-operation.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { SectionCard } from '../../parts/layout.tsx';
import { MoneyText } from '../../parts/texts.tsx';
import { writeDay } from '../../parts/times.ts';
import { BarChart } from './bar-chart.tsx';
import type { Money } from './home-figures.tsx';

type Day = Omit<Money['days'][number], 'paidOut'> & { readonly paidOut?: number };

const money = (id: keyof Omit<Day, 'day'>, title: string): Column<Day> => ({
  id,
  title,
  isRight: true,
  cell: (day) => <MoneyText pounds={day[id] || null} />,
});

const storeColumns: readonly Column<Day>[] = [
  { id: 'day', title: 'Day', isMain: true, cell: ({ day }) => writeDay(day) },
  money('sold', 'Sold'),
  money('refunded', 'Refunded'),
  money('reversed', 'Reversed'),
  money('fees', 'Fees'),
];
const allColumns: readonly Column<Day>[] = [...storeColumns, money('paidOut', 'Paid out')];

type MoneyOverTimeProps = {
  readonly days: readonly Day[];
  /** Of one store: what is paid out is of the business. */
  readonly storeId?: string;
};

/** The same figures by day, drawn and as a table. A day leads to its sales. */
export const MoneyOverTime = ({ days, storeId }: MoneyOverTimeProps): ReactNode => {
  const columns = storeId ? storeColumns : allColumns;
  const of = storeId ? { storeId } : {};
  const ofStore = storeId ? `&storeId=${storeId}` : '';
  const address = useAddress();
  const navigate = useNavigate();
  const rows = address('home/rows');
  const withMoney = days.filter((day) => columns.slice(1).some(({ id }) => day[id as 'sold']));
  return (
    <SectionCard title="By day" acts={<Link to={address('payments')}>All payments</Link>}>
      <BarChart
        title="Sold and refunded by day; the table has the same figures"
        names={{ up: 'Sold', down: 'Refunded and reversed' }}
        bars={days.map(({ day, sold, refunded, reversed }) => ({
          day,
          up: sold,
          down: refunded + reversed,
        }))}
        onDay={(day) =>
          void navigate({ to: rows, search: { figure: 'SOLD', from: day, to: day, ...of } })
        }
      />
      <details>
        <summary>As a table</summary>
        <DataTable<Day>
          isPlain
          name="money-days"
          caption="Money by day, the newest first"
          columns={columns}
          rows={[...withMoney].reverse()}
          rowKey={({ day }) => day}
          rowLink={({ day }) => `${rows}?figure=SOLD&from=${day}&to=${day}${ofStore}`}
          empty={<p className="soft">No money moved in these days.</p>}
        />
      </details>
    </SectionCard>
  );
};
