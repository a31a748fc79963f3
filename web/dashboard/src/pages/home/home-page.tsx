import { getMoney } from '@florin/contract/dashboard/index.ts';
import { SegmentedControl } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useMembership, useOperation } from '../../call/use-operation.ts';
import { DayField } from '../../parts/day-field.tsx';
import { NotRead } from '../../parts/failure-notice.tsx';
import { PageTitle } from '../../parts/layout.tsx';
import { inStore } from '../../parts/store-filter.tsx';
import { dayOf, daysUpTo, now } from '../../parts/times.ts';
import { inPeriod, useFilters } from '../../parts/use-filters.tsx';
import { BalanceLine } from './balance-line.tsx';
import { MainFigures, OtherFigures } from './home-figures.tsx';
import classes from './home-page.module.css';
import { MoneyOverTime } from './money-over-time.tsx';
import { NeedsYou } from './needs-you.tsx';

const StoreFigures = lazy(async () => ({
  default: (await import('./store-figures.tsx')).StoreFigures,
}));

const PaymentInsights = lazy(async () => ({
  default: (await import('./payment-insights.tsx')).PaymentInsights,
}));

const spans = [1, 7, 30, 90, 365];
const lookEveryMs = 5_000;
const words: Readonly<Record<number, string>> = { 1: 'Today', 365: 'Year' };

/** What was earned, to the penny, and where the money is now. */
export const HomePage = (): ReactNode => {
  const membership = useMembership();
  // Without days the last thirty are shown: today is the tenant's, whose clock may be ahead.
  const { filters, change } = useFilters(inHome);
  const { storeId, ...chosen } = filters;
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
        {inStore.storeId.field({
          ...{ chosen: storeId, all: filters },
          choose: (id) => change({ storeId: id }),
        })}
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
      {storeId && money ? (
        <Suspense>
          <StoreFigures storeId={storeId} period={{ from: money.from, to: money.to }} />
        </Suspense>
      ) : (
        <>
          <MainFigures money={money} />
          {money && <MoneyOverTime days={money.days} />}
          {money && <BalanceLine balance={money.balance} />}
          <Folded title="All figures">
            <OtherFigures money={money} />
          </Folded>
        </>
      )}
      <Folded title="How payments go">
        <Suspense>
          <PaymentInsights period={chosen} />
        </Suspense>
      </Folded>
    </>
  );
};

const inHome = { ...inPeriod, ...inStore };

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
