import { getStatement } from '@florin/contract/dashboard/index.ts';
import { SegmentedControl } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { daysBefore, writeSpan } from '../../parts/times.ts';
import classes from './bar-chart.module.css';
import { type Bar, BarChart, type BarNames, ChartLegend } from './bar-chart.tsx';
import { type DayAmounts, groupDays, type Stretch } from './group-days.ts';

const MoneyTable = lazy(async () => ({ default: (await import('./money-table.tsx')).MoneyTable }));
const MoneySplit = lazy(async () => ({ default: (await import('./money-split.tsx')).MoneySplit }));

const splits = { day: 'Over time', store: 'By store', method: 'By method' } as const;
type Split = keyof typeof splits;

type MoneyOverTimeProps = {
  readonly days: readonly DayAmounts[];
  /** Of one store: what is paid out is of the business. */
  readonly storeId?: string;
};

/** What was sold: by day, drawn and as a table; by store; by what was paid with. */
export const MoneyOverTime = ({ days, storeId }: MoneyOverTimeProps): ReactNode => {
  const [split, setSplit] = useState<Split>('day');
  const period = { from: days[0]?.day ?? '', to: days.at(-1)?.day ?? '' };
  const of = storeId ? { storeId } : {};
  const earlier = useOperation(
    getStatement,
    { query: { ...daysBefore(period), ...of } },
    { enabled: days.length > 0 && split === 'day' },
  );
  const sales = earlier.data?.days;
  const stretches = groupDays(days, sales?.some(({ sold }) => sold > 0) ? sales : undefined);
  const bars = stretches.map(barOf);
  // It comes whole: with other days beside them all bars would move.
  const isWhole = !earlier.isLoading;
  const before = days.length > 0 ? writeSpan(daysBefore(period)).replace(/ \d{4}$/, '') : '';
  const names = { up: 'Sold', down: 'Refunded and taken back', back: 'Came back to you', before };
  return (
    <SectionCard
      title="Sales"
      beside={
        <>
          <strong className="figures">{writePounds(addUp(days))}</strong>
          {split === 'day' && isWhole && <ChartLegend names={names} bars={bars} />}
        </>
      }
      acts={
        <SegmentedControl
          size="xs"
          aria-label="Sales by"
          value={split}
          onChange={(chosen) => setSplit(chosen as Split)}
          data={Object.entries(splits)
            .filter(([value]) => value !== 'store' || !storeId)
            .map(([value, label]) => ({ value, label }))}
        />
      }
    >
      {split === 'day' ? (
        <ByDay
          {...{ stretches, names, of }}
          bars={isWhole ? bars : bars.map((bar) => ({ ...bar, up: 0, down: 0, back: 0 }))}
        />
      ) : (
        <Suspense>
          <MoneySplit by={split} period={period} storeId={storeId} />
        </Suspense>
      )}
    </SectionCard>
  );
};

const barOf = ({ title, sold, refunded, reversed, before, beforeTitle }: Stretch): Bar => ({
  ...{ title, before, beforeTitle },
  up: sold,
  down: Math.max(refunded, 0) + Math.max(reversed, 0),
  back: Math.max(-refunded, 0) + Math.max(-reversed, 0),
});

const addUp = (days: readonly DayAmounts[]): number =>
  days.reduce((pence, { sold }) => pence + Math.round(sold * 100), 0) / 100;

type ByDayProps = {
  readonly stretches: readonly Stretch[];
  readonly bars: readonly Bar[];
  readonly names: BarNames;
  readonly of: { readonly storeId?: string };
};

const ByDay = ({ stretches, bars, names, of }: ByDayProps): ReactNode => {
  const [isTable, setIsTable] = useState(false);
  const address = useAddress();
  const navigate = useNavigate();
  const rows = address('home/rows');
  const searchOf = ({ from, to }: Stretch) => ({ figure: 'SOLD', from, to, ...of });
  return (
    <>
      <BarChart
        title="Sold and refunded; the table has the same figures"
        names={names}
        bars={bars}
        onOpen={(position) => {
          const stretch = stretches[position];
          if (stretch) void navigate({ to: rows, search: searchOf(stretch) });
        }}
      />
      <div className={classes.below}>
        <details onToggle={({ currentTarget }) => currentTarget.open && setIsTable(true)}>
          <summary>As a table</summary>
          {isTable && (
            <Suspense>
              <MoneyTable
                stretches={stretches}
                isOfStore={of.storeId !== undefined}
                linkOf={(row) =>
                  `${rows}?${new URLSearchParams({ ...searchOf(row) } as Record<string, string>)}`
                }
              />
            </Suspense>
          )}
        </details>
        <Link to={address('payments')}>All payments</Link>
      </div>
    </>
  );
};
