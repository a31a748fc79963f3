import { getMoney } from '@florin/contract/dashboard/index.ts';
import { Group, Popover, SegmentedControl } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import { DayField } from '../../parts/day-field.tsx';
import { NotRead } from '../../parts/failure-notice.tsx';
import { useIsNarrow } from '../../parts/filter-bar.tsx';
import { PageTitle } from '../../parts/layout.tsx';
import { inStore } from '../../parts/store-filter.tsx';
import { dayOf, daysUpTo, now, type Period, writeSpan } from '../../parts/times.ts';
import { inPeriod, useFilters } from '../../parts/use-filters.tsx';
import { MainFigures, type Money, OtherFigures } from './home-figures.tsx';
import classes from './home-page.module.css';
import { NeedsYou } from './needs-you.tsx';

const StoreFigures = lazy(async () => ({
  default: (await import('./store-figures.tsx')).StoreFigures,
}));

// Asked for at once, beside the figures that it draws.
const chart = import('./money-over-time.tsx');
const MoneyOverTime = lazy(async () => ({ default: (await chart).MoneyOverTime }));

const sums = import('./balance-line.tsx');
const BalanceLine = lazy(async () => ({ default: (await sums).BalanceLine }));
const PeriodLine = lazy(async () => ({ default: (await sums).PeriodLine }));

const GetStarted = lazy(async () => ({
  default: (await import('./get-started.tsx')).GetStarted,
}));

const PaymentInsights = lazy(async () => ({
  default: (await import('./payment-insights.tsx')).PaymentInsights,
}));

const spans = [1, 7, 30, 90, 365];
const customDays = 'custom';
const lookEveryMs = 5_000;
const words: Readonly<Record<number, string>> = { 1: 'Today', 365: 'Year' };

/** What was earned, to the penny, and where the money is now. */
export const HomePage = (): ReactNode => {
  // Without days the last thirty are shown: today is the tenant's, whose clock may be ahead.
  const { filters, change } = useFilters(inHome);
  const { storeId, ...chosen } = filters;
  const read = useOperation(getMoney, { query: chosen }, { refetchEveryMs: lookEveryMs });
  const { data: money } = read;
  const { from = money?.from, to = money?.to } = chosen;
  const isBare = money !== undefined && isNew(money);
  const today = money?.today.day ?? dayOf(now());
  return (
    <>
      <PageTitle title="Home">
        {!isBare && (
          <>
            {inStore.storeId.field({
              ...{ chosen: storeId, all: filters },
              choose: (id) => change({ storeId: id }),
            })}
            <DaysChoice from={from} to={to} today={today} onChoose={(days) => change(days)} />
          </>
        )}
      </PageTitle>
      <NotRead of={read} />
      {!isBare && !read.error && <NeedsYou today={money?.today.day} storeId={storeId} />}
      {isBare ? (
        <Suspense>
          <GetStarted />
        </Suspense>
      ) : (
        <Trade money={money} storeId={storeId} period={chosen} />
      )}
    </>
  );
};

type DaysChoiceProps = Partial<Period> & {
  readonly today: string;
  readonly onChoose: (days: Partial<Period>) => void;
};

/** The last days, or any others: they are written where they are chosen. */
const DaysChoice = ({ from, to, today, onChoose }: DaysChoiceProps): ReactNode => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const isNarrow = useIsNarrow();
  const span = spans.find((days) => {
    const last = daysUpTo(days, today);
    return last.from === from && last.to === to;
  });
  // On a phone they stand below alone: there is no room for them here.
  const custom = span || !from || !to || isNarrow ? 'Custom' : writeSpan({ from, to });
  return (
    <Popover
      opened={isOpen}
      onChange={close}
      position="bottom-end"
      withinPortal={false}
      // What opens it is no button, and is named itself.
      withRoles={false}
      trapFocus
    >
      <Popover.Target>
        <SegmentedControl
          size="xs"
          aria-label="Days"
          value={span && !isOpen ? String(span) : customDays}
          // Chosen once more it opens again.
          onClick={({ target }) => (target as HTMLInputElement).value === customDays && open()}
          onChange={(days) => {
            if (days === customDays) return open();
            close();
            onChoose(daysUpTo(Number(days), today));
          }}
          data={[
            ...spans.map((days) => ({ value: String(days), label: words[days] ?? `${days} days` })),
            { value: customDays, label: custom },
          ]}
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Custom days">
        <Group gap="sm">
          <DayField
            label="From day"
            value={from}
            max={to}
            onDay={(day) => onChoose({ from: day, to })}
          />
          <DayField
            label="To day"
            value={to}
            min={from}
            onDay={(day) => onChoose({ from, to: day })}
          />
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
};

type TradeProps = {
  readonly money: Money | undefined;
  readonly storeId: string | undefined;
  readonly period: { readonly from?: string | undefined; readonly to?: string | undefined };
};

const Trade = ({ money, storeId, period }: TradeProps): ReactNode => (
  <>
    {storeId && money ? (
      <Suspense>
        <StoreFigures storeId={storeId} money={money} period={{ from: money.from, to: money.to }} />
      </Suspense>
    ) : (
      <>
        <MainFigures money={money} />
        <Suspense>
          {money && (
            <>
              <PeriodLine money={money} />
              <MoneyOverTime days={money.days} />
              <BalanceLine balance={money.balance} />
            </>
          )}
        </Suspense>
        <Folded title="All figures">
          <OtherFigures money={money} />
        </Folded>
      </>
    )}
    <Folded title="Conversion and failures">
      <Suspense>
        <PaymentInsights of={{ ...period, storeId }} />
      </Suspense>
    </Folded>
  </>
);

/** Nothing was ever paid, and nothing is under way. */
const isNew = ({ balance, onTheWay }: Money): boolean =>
  balance.sold === 0 && Object.values(onTheWay).every((amount) => amount === 0);

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
