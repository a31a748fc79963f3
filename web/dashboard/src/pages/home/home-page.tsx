import { getMoney } from '@florin/contract/dashboard/index.ts';
import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { now } from '../../call/now.ts';
import { useMembership } from '../../call/use-me.ts';
import { useOperation } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { DayField } from '../../parts/filters/day-field.tsx';
import { dayOf, daysUpTo } from '../../parts/filters/period.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import type { HomeFilters } from './home-filters.ts';
import { PaymentFailures } from './insights/payment-failures.tsx';
import { PaymentFunnel } from './insights/payment-funnel.tsx';
import { MoneyFigures } from './money-figures.tsx';
import { MoneyOverTime } from './money-over-time.tsx';

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
