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
import {
  addUp,
  type DayAmounts,
  groupDays,
  readableStep,
  runningTotal,
  type Step,
  type Stretch,
  stepsOf,
} from './group-days.ts';

const MoneyTable = lazy(async () => ({ default: (await import('./money-table.tsx')).MoneyTable }));
const MoneySplit = lazy(async () => ({ default: (await import('./money-split.tsx')).MoneySplit }));

type Part = 'store' | 'method';

const words: Readonly<Record<Step | Part, string>> = {
  ...{ day: 'Daily', week: 'Weekly', month: 'Monthly', total: 'Running total' },
  ...{ store: 'By store', method: 'By method' },
};

type MoneyOverTimeProps = {
  readonly days: readonly DayAmounts[];
  /** Of one store: what is paid out is of the business. */
  readonly storeId?: string;
};

/** What was sold: over time, drawn and as a table; by store; by what was paid with. */
export const MoneyOverTime = ({ days, storeId }: MoneyOverTimeProps): ReactNode => {
  const [split, setSplit] = useState<Step | Part | null>(null);
  const steps = stepsOf(days.length);
  const step = steps.find((each) => each === split) ?? readableStep(days);
  const part = split === 'method' || (split === 'store' && !storeId) ? split : null;
  const of = storeId ? { storeId } : {};
  const { period, stretches, bars, names, isWhole } = useDrawn(days, of, step);
  return (
    <SectionCard
      title="Sales"
      beside={
        <>
          <SoldInAll days={days} />
          {!part && isWhole && <ChartLegend names={names} bars={bars} />}
        </>
      }
      acts={
        <SegmentedControl
          size="xs"
          aria-label="Sales by"
          value={part ?? step}
          onChange={(chosen) => setSplit(chosen as Step | Part)}
          data={[...steps, ...(storeId ? [] : (['store'] as const)), 'method' as const].map(
            (value) => ({ value, label: words[value] }),
          )}
        />
      }
    >
      {part ? (
        <Suspense>
          <MoneySplit by={part} period={period} storeId={storeId} />
        </Suspense>
      ) : (
        <OverTime {...{ stretches, names, of }} isTotal={step === 'total'} bars={bars} />
      )}
    </SectionCard>
  );
};

const useDrawn = (days: readonly DayAmounts[], of: { readonly storeId?: string }, step: Step) => {
  const period = { from: days[0]?.day ?? '', to: days.at(-1)?.day ?? '' };
  const query = { ...daysBefore(period), ...of };
  const { data, isLoading } = useOperation(getStatement, { query }, { enabled: days.length > 0 });
  const earlier = data?.days.some(({ sold }) => sold > 0) ? data.days : undefined;
  const stretches = groupDays(days, earlier, step);
  const bars = (step === 'total' ? runningTotal(stretches) : stretches).map(barOf);
  const before = days.length > 0 ? writeSpan(daysBefore(period)).replace(/ \d{4}$/, '') : '';
  return {
    ...{ period, stretches, isWhole: !isLoading },
    // It comes whole: with other days beside them all bars would move.
    bars: isLoading ? bars.map((bar) => ({ ...bar, up: 0, down: 0, back: 0 })) : bars,
    names: { ...(step === 'total' ? totalNames : barNames), before },
  };
};

const barNames = { up: 'Sold', down: 'Refunded and taken back', back: 'Came back to you' };
const totalNames = { ...barNames, up: 'Sold so far', down: 'Refunded and taken back so far' };

const SoldInAll = ({ days }: Pick<MoneyOverTimeProps, 'days'>): ReactNode => {
  const sold = addUp(days.map((day) => day.sold));
  return (
    <>
      <strong className="figures">{writePounds(sold)}</strong>
      {days.length > 1 && (
        <span className={`figures ${classes.average}`}>
          {writePounds(sold / days.length)} a day on average
        </span>
      )}
    </>
  );
};

const barOf = ({ title, sold, refunded, reversed, before, beforeTitle }: Stretch): Bar => ({
  ...{ title, before, beforeTitle },
  up: sold,
  down: Math.max(refunded, 0) + Math.max(reversed, 0),
  back: Math.max(-refunded, 0) + Math.max(-reversed, 0),
});

type OverTimeProps = {
  readonly stretches: readonly Stretch[];
  readonly bars: readonly Bar[];
  readonly names: BarNames;
  /** Each bar is of all days up to its own. */
  readonly isTotal: boolean;
  readonly of: { readonly storeId?: string };
};

const OverTime = ({ stretches, bars, names, isTotal, of }: OverTimeProps): ReactNode => {
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
          const from = stretches[isTotal ? 0 : position]?.from;
          if (stretch && from) void navigate({ to: rows, search: searchOf({ ...stretch, from }) });
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
