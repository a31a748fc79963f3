import { getMoney } from '@florin/contract/dashboard/index.ts';
import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { now } from '../../call/now.ts';
import { useMembership } from '../../call/use-me.ts';
import { useOperation } from '../../call/use-operation.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { DayField } from '../../parts/filters/day-field.tsx';
import { lastDays } from '../../parts/filters/period.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import type { HomeFilters } from './home-filters.ts';
import { PaymentFailures } from './insights/payment-failures.tsx';
import { PaymentFunnel } from './insights/payment-funnel.tsx';
import { MoneyFigures } from './money-figures.tsx';
import { MoneyOverTime } from './money-over-time.tsx';

const spans = [1, 7, 30, 90, 365];
const words: Readonly<Record<number, string>> = { 1: 'Today', 365: 'Year' };
const standardDays = 30;

/** What was earned, to the penny, and where the money is now. */
export const HomePage = (): ReactNode => {
  const navigate = useNavigate();
  const membership = useMembership();
  const chosen = useSearch({ from: '/$merchantId/$environment/home' });
  const standard = lastDays(standardDays, now());
  const period = { from: chosen.from ?? standard.from, to: chosen.to ?? standard.to };
  const { data: money, error, refetch } = useOperation(getMoney, { query: period });
  const change = (search: HomeFilters): void => void navigate({ to: '.', search });
  const span = spans.find((days) => {
    const { from, to } = lastDays(days, now());
    return from === period.from && to === period.to;
  });
  return (
    <>
      <PageTitle title="Home" says={membership?.businessName}>
        <SegmentedControl
          size="xs"
          aria-label="Days"
          value={span ? String(span) : ''}
          onChange={(days) => change(lastDays(Number(days), now()))}
          data={spans.map((days) => ({
            value: String(days),
            label: words[days] ?? `${days} days`,
          }))}
        />
        <DayField
          label="First day"
          value={period.from}
          max={period.to}
          onDay={(from) => change({ ...period, from })}
        />
        <DayField
          label="Last day"
          value={period.to}
          min={period.from}
          onDay={(to) => change({ ...period, to })}
        />
      </PageTitle>
      {error && <FailureNotice failure={error} onRetry={() => void refetch()} />}
      <MoneyFigures money={money} />
      {money && <MoneyOverTime days={money.days} />}
      <PaymentFunnel period={period} />
      <PaymentFailures period={period} />
    </>
  );
};
