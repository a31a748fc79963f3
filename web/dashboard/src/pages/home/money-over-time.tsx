import { getStatement } from '@florin/contract/dashboard/index.ts';
import { SegmentedControl } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useAddress, useOperation } from '../../call/use-operation.ts';
import { SectionCard } from '../../parts/layout.tsx';
import { daysBefore } from '../../parts/times.ts';
import { BarChart } from './bar-chart.tsx';
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
  return (
    <SectionCard
      title="Sales"
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
        <ByDay days={days} period={period} {...(storeId && { storeId })} />
      ) : (
        <Suspense>
          <MoneySplit by={split} period={period} storeId={storeId} />
        </Suspense>
      )}
    </SectionCard>
  );
};

type ByDayProps = MoneyOverTimeProps & { readonly period: { from: string; to: string } };

const ByDay = ({ days, period, storeId }: ByDayProps): ReactNode => {
  const of: { readonly storeId?: string } = storeId ? { storeId } : {};
  const [isTable, setIsTable] = useState(false);
  const address = useAddress();
  const navigate = useNavigate();
  const earlier = useOperation(
    getStatement,
    { query: { ...daysBefore(period), ...of } },
    { enabled: days.length > 0 },
  );
  const sales = earlier.data?.days;
  const stretches = groupDays(days, sales?.some(({ sold }) => sold > 0) ? sales : undefined);
  const rows = address('home/rows');
  const searchOf = ({ from, to }: Stretch) => ({ figure: 'SOLD', from, to, ...of });
  return (
    <>
      <BarChart
        title="Sold and refunded; the table has the same figures"
        names={{ up: 'Sold', down: 'Refunded and reversed', before: 'In the period before' }}
        bars={stretches.map(({ title, sold, refunded, reversed, before }) => ({
          ...{ title, before },
          up: sold,
          down: refunded + reversed,
        }))}
        onOpen={(position) => {
          const stretch = stretches[position];
          if (stretch) void navigate({ to: rows, search: searchOf(stretch) });
        }}
      />
      <details onToggle={({ currentTarget }) => currentTarget.open && setIsTable(true)}>
        <summary>As a table</summary>
        {isTable && (
          <Suspense>
            <MoneyTable
              stretches={stretches}
              isOfStore={storeId !== undefined}
              linkOf={(row) =>
                `${rows}?${new URLSearchParams({ ...searchOf(row) } as Record<string, string>)}`
              }
            />
          </Suspense>
        )}
      </details>
      <Link to={address('payments')}>All payments</Link>
    </>
  );
};
