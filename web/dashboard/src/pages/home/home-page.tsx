import { getMoney } from '@florin/contract/dashboard/index.ts';
import { SegmentedControl } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage } from '../../call/tenant.ts';
import { useMembership } from '../../call/use-me.ts';
import { useOperation, useTenant } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { DayField } from '../../parts/filter-fields.tsx';
import { PageTitle, SectionCard } from '../../parts/layout.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { MoneyText } from '../../parts/texts.tsx';
import { dayOf, daysUpTo, now, writeDay } from '../../parts/times.ts';
import type { HomeFilters } from '../../routes/tenant-filters.ts';
import { BarChart } from './bar-chart.tsx';
import { type Money, MoneyFigures } from './money-figures.tsx';
import { PaymentFailures, PaymentFunnel } from './payment-insights.tsx';

const spans = [1, 7, 30, 90, 365];
const words: Readonly<Record<number, string>> = { 1: 'Today', 365: 'Year' };

/** What was earned, to the penny, and where the money is now. */
export const HomePage = (): ReactNode => {
  const navigate = useNavigate();
  const membership = useMembership();
  // Without days the last thirty are shown: today is the tenant's, whose clock may be ahead.
  const chosen = useSearch({ from: '/$merchantId/$environment/home' });
  const { data: money, error, refetch } = useOperation(getMoney, { query: chosen });
  const change = (search: HomeFilters): void => void navigate({ to: '.', search });
  const { from = money?.from, to = money?.to } = chosen;
  const today = money?.today.day ?? dayOf(now());
  const span = spans.find((days) => {
    const last = daysUpTo(days, today);
    return last.from === from && last.to === to;
  });
  return (
    <>
      <PageTitle title="Home" says={membership?.businessName}>
        <SegmentedControl
          size="xs"
          aria-label="Days"
          value={span ? String(span) : ''}
          onChange={(days) => change(daysUpTo(Number(days), today))}
          data={spans.map((days) => ({
            value: String(days),
            label: words[days] ?? `${days} days`,
          }))}
        />
        <DayField
          label="First day"
          value={from}
          max={to}
          onDay={(day) => change({ from: day, to })}
        />
        <DayField
          label="Last day"
          value={to}
          min={from}
          onDay={(day) => change({ from, to: day })}
        />
      </PageTitle>
      {error && <FailureNotice failure={error} onRetry={() => void refetch()} />}
      <MoneyFigures money={money} />
      {money && <MoneyOverTime days={money.days} />}
      <PaymentFunnel period={chosen} />
      <PaymentFailures period={chosen} />
    </>
  );
};

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
const MoneyOverTime = ({ days }: { readonly days: readonly Day[] }): ReactNode => {
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
