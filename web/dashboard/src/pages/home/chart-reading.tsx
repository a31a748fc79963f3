import type { ReactNode } from 'react';
import { writePounds, writeShare } from '../../parts/numbers.ts';
import classes from './bar-chart.module.css';
import type { Bar, BarNames } from './bar-chart.tsx';

export type Series = keyof BarNames;

/** Those that some bar has: the legend names them, and each reading says them all. */
export const seriesOf = (bars: readonly Bar[]): readonly Series[] =>
  (['up', 'down', 'back', 'before'] as const).filter(
    (series) => series === 'up' || bars.some((bar) => bar[series]),
  );

type ChartReadingProps = {
  readonly bar: Bar;
  readonly names: BarNames;
  readonly series: readonly Series[];
  /** Middle of the bar, and half of its width. */
  readonly middle: number;
  readonly half: number;
  readonly isAtRight: boolean;
  /** None is chosen: a phone shows the newest, and a wide window nothing. */
  readonly isResting: boolean;
};

/** The figures of one bar, beside it; on a phone above all of them. */
export const ChartReading = (props: ChartReadingProps): ReactNode => {
  const { bar, names, series, middle, half, isAtRight, isResting } = props;
  const { title, up, before, beforeTitle } = bar;
  const by = half + gap;
  return (
    <div
      className={classes.reading}
      aria-hidden="true"
      data-resting={isResting || undefined}
      data-right={isAtRight || undefined}
      style={{ left: isAtRight ? middle - by : middle + by }}
    >
      <strong>{title}</strong>
      <dl>
        {series.map((each) => (
          <div key={each} data-series={each}>
            <dt>{each === 'before' ? beforeTitle.replace(/ \d{4}$/, '') : names[each]}</dt>
            <dd>{writePounds(bar[each] ?? 0)}</dd>
          </div>
        ))}
      </dl>
      {before !== undefined && series.includes('before') && <span>{changeOf(up, before)}</span>}
    </div>
  );
};

const gap = 8;

/** From ten times as much on a percentage says nothing. */
const percentUpTo = 10;

const changeOf = (to: number, from: number): string => {
  if (to === from) return 'No change';
  const sign = to > from ? '+' : '−';
  const share = from > 0 && to < from * percentUpTo;
  const by = `${sign}${writePounds(Math.abs(to - from))}`;
  return share ? `${by} (${sign}${writeShare(Math.abs(to - from), from)})` : by;
};
