import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage } from '../../call/tenant.ts';
import { useTenant } from '../../call/use-operation.ts';
import { BarChart } from '../../parts/chart/bar-chart.tsx';
import { MoneyText } from '../../parts/money-text.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { writeDay } from '../../parts/write-time.ts';
import type { Money } from './money-figures.tsx';

type Day = Money['days'][number];

const money = (id: keyof Omit<Day, 'day'>, title: string): Column<Day> => ({
  id,
  title,
  isRight: true,
  cell: (day) => <MoneyText pounds={day[id] || null} />,
});

const columns: readonly Column<Day>[] = [
  { id: 'day', title: 'Day', isMain: true, cell: ({ day }) => writeDay(day) },
  money('sold', 'Sold'),
  money('refunded', 'Refunded'),
  money('reversed', 'Reversed'),
  money('fees', 'Fees'),
  money('paidOut', 'Paid out'),
];

/** The same figures by day, drawn and as a table. A day leads to its sales. */
export const MoneyOverTime = ({ days }: { readonly days: readonly Day[] }): ReactNode => {
  const tenant = useTenant();
  const navigate = useNavigate();
  if (!tenant) return null;
  const rows = addressOfPage(tenant, 'home/rows');
  const withMoney = days.filter((day) => columns.slice(1).some(({ id }) => day[id as 'sold']));
  return (
    <SectionCard
      title="By day"
      acts={<Link to={addressOfPage(tenant, 'payments')}>All payments</Link>}
    >
      <BarChart
        title="Sold and refunded by day; the table has the same figures"
        names={{ up: 'Sold', down: 'Refunded and reversed' }}
        bars={days.map(({ day, sold, refunded, reversed }) => ({
          day,
          up: sold,
          down: refunded + reversed,
        }))}
        onDay={(day) => void navigate({ to: rows, search: { figure: 'SOLD', from: day, to: day } })}
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
          rowLink={({ day }) => `${rows}?figure=SOLD&from=${day}&to=${day}`}
          empty={<p className="soft">No money moved in these days.</p>}
        />
      </details>
    </SectionCard>
  );
};
