import type { ReplyOf } from '@florin/contract';
import { getMoney } from '@florin/contract/dashboard/index.ts';
import { SegmentedControl, Skeleton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAddress, useMembership, useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { NotRead } from '../../parts/failure-notice.tsx';
import { DayField } from '../../parts/filter-fields.tsx';
import { useIsLate } from '../../parts/is-late.ts';
import { PageTitle, SectionCard } from '../../parts/layout.tsx';
import { countOf, writePounds } from '../../parts/numbers.ts';
import { MoneyText } from '../../parts/texts.tsx';
import { dayOf, daysUpTo, now, writeDay } from '../../parts/times.ts';
import { inPeriod, useFilters } from '../../parts/use-filters.tsx';
import { BalanceLine } from './balance-line.tsx';
import { BarChart } from './bar-chart.tsx';
import { figureTitles, type MoneyFigure } from './figure-titles.ts';
import classes from './home-page.module.css';
import { NeedsYou } from './needs-you.tsx';
import { PaymentFailures, PaymentFunnel } from './payment-insights.tsx';

const spans = [1, 7, 30, 90, 365];
const lookEveryMs = 5_000;
const words: Readonly<Record<number, string>> = { 1: 'Today', 365: 'Year' };

/** What was earned, to the penny, and where the money is now. */
export const HomePage = (): ReactNode => {
  const membership = useMembership();
  // Without days the last thirty are shown: today is the tenant's, whose clock may be ahead.
  const { filters: chosen, change } = useFilters(inPeriod);
  const read = useOperation(getMoney, { query: chosen }, { refetchEveryMs: lookEveryMs });
  const { data: money } = read;
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
      <NotRead of={read} />
      {money && <NeedsYou today={today} />}
      <MainFigures money={money} />
      {money && <MoneyOverTime days={money.days} />}
      {money && <BalanceLine balance={money.balance} />}
      <Folded title="All figures">
        <OtherFigures money={money} />
      </Folded>
      <Folded title="How payments go">
        <PaymentFunnel period={chosen} />
        <PaymentFailures period={chosen} />
      </Folded>
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

type Money = ReplyOf<typeof getMoney>;

type Shown = {
  readonly figure: MoneyFigure;
  readonly says: string;
  readonly amount: (money: Money) => number;
  readonly count?: (money: Money) => number;
  /** Of as many days before. */
  readonly before?: (money: Money) => number;
};

type Figures = Pick<Money, 'sold' | 'refunded' | 'reversed' | 'fees' | 'paidOut'>;

const brought = [
  ['SOLD', 'sold', 'paid by customers, tips included'],
  ['REFUNDED', 'refunded', 'by you to customers'],
  ['PAID_OUT', 'paidOut', 'arrived on your accounts'],
  ['REVERSED', 'reversed', 'by banks, and in disputes'],
  ['FEES', 'fees', 'of the operator'],
] as const satisfies readonly (readonly [MoneyFigure, keyof Figures, string])[];

const figuresOf = (of: (money: Money) => Figures): readonly Shown[] =>
  brought.map(([figure, id, says]) => ({
    figure,
    says,
    amount: (money) => of(money)[id].amount,
    count: (money) => of(money)[id].count,
  }));

const mainFigures = 3;
const ofPeriod = figuresOf((money) => money);
const ofToday = figuresOf(({ today }) => today);
const main = ofPeriod.slice(0, mainFigures).map((shown, position) => ({
  ...shown,
  before: ({ before }: Money) => before[brought[position]?.[1] ?? 'sold'].amount,
}));

const waiting = [
  ['DUE_FROM_BANK', 'dueFromBank', 'paid, not yet arrived at the operator'],
  ['PAYABLE', 'payable', 'arrived, yours'],
  ['IN_PAYOUT', 'inPayout', 'on the way to your account'],
  ['IN_REFUNDS', 'inRefunds', 'on the way to customers'],
  ['HELD_ON_CARDS', 'heldOnCards', 'authorised, not captured'],
] as const satisfies readonly (readonly [MoneyFigure, keyof Money['onTheWay'], string])[];

const onTheWay: readonly Shown[] = waiting.map(([figure, id, says]) => ({
  figure,
  says,
  amount: (money) => money.onTheWay[id],
}));

type MoneyProps = { readonly money: Money | undefined };

/** Each figure leads to the rows that add up to it. */
const MainFigures = ({ money }: MoneyProps): ReactNode => (
  <FigureRow
    title="In these days"
    figures={main}
    money={money}
    search={money ? { from: money.from, to: money.to } : {}}
  />
);

/** What is nothing is left out. */
const OtherFigures = ({ money }: MoneyProps): ReactNode => {
  if (!money) return null;
  const filled = (figures: readonly Shown[]) => figures.filter(({ amount }) => amount(money) !== 0);
  const { day } = money.today;
  const { from, to } = money;
  return (
    <>
      <FigureRow
        title="Today"
        figures={filled(ofToday)}
        money={money}
        search={{ from: day, to: day }}
      />
      <FigureRow
        title="Taken off in these days"
        figures={filled(ofPeriod.slice(mainFigures))}
        money={money}
        search={{ from, to }}
      />
      <FigureRow title="On the way now" figures={filled(onTheWay)} money={money} search={{}} />
    </>
  );
};

type FoldedProps = { readonly title: string; readonly children: ReactNode };

/** What is not needed each day: nothing of it is read before it is opened. */
const Folded = ({ title, children }: FoldedProps): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={classes.folded}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{title}</summary>
      {isOpen && children}
    </details>
  );
};

type FigureRowProps = {
  readonly title: string;
  readonly figures: readonly Shown[];
  readonly money: Money | undefined;
  readonly search: { readonly from?: string; readonly to?: string };
};

const FigureRow = ({ title, figures, money, search }: FigureRowProps): ReactNode => {
  const address = useAddress();
  const isLate = useIsLate(!money);
  if (figures.length === 0) return null;
  return (
    <section aria-label={title} className={classes.section}>
      <h2>{title}</h2>
      <ul className={`card ${classes.row}`}>
        {figures.map(({ figure, says, amount, count, before }) => (
          <li key={figure}>
            <Link to={address('home/rows')} search={{ figure, ...search }}>
              <span className={classes.name}>{figureTitles[figure]}</span>
              <strong className="figures">
                {money ? (
                  writePounds(amount(money))
                ) : (
                  <Skeleton height={28} width={96} visible={isLate} />
                )}
              </strong>
              <span className="soft">
                {count && money ? `${countOf(count(money), 'entry', 'entries')}, ${says}` : says}
              </span>
              {before && money && (
                <span className="soft figures">
                  {writePounds(before(money))} in the days before
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
};
