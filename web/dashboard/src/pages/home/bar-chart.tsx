import { useElementSize } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { writePounds } from '../../parts/numbers.ts';
import { writeDay } from '../../parts/times.ts';
import classes from './bar-chart.module.css';

export type Bar = {
  /** 2026-03-01 */
  readonly day: string;
  readonly up: number;
  /** Drawn below the line; pounds, not negative. */
  readonly down: number;
};

type BarChartProps = {
  /** "Sold and refunded by day" */
  readonly title: string;
  readonly names: { readonly up: string; readonly down: string };
  readonly bars: readonly Bar[];
  readonly onDay?: (day: string) => void;
};

const widthAtFirst = 720;
const height = 190;
const top = 8;
const left = 64;
const bottom = 22;
const tickWidth = 96;

/** Amounts by day: bars up from the line, and down for what was taken off. */
export const BarChart = ({ title, names, bars, onDay }: BarChartProps): ReactNode => {
  // Drawn at its own width: scaled, its words would be too small on a phone.
  const { ref, width: measured } = useElementSize();
  const width = measured || widthAtFirst;
  const scale = scaleBars(bars, { height: height - bottom - top });
  const step = (width - left) / Math.max(bars.length, 1);
  const thickness = Math.max(Math.min(step * 0.72, 36), 1);
  const ticks = Math.max(Math.floor((width - left) / tickWidth), 1);
  const between = Math.max(Math.ceil(bars.length / ticks), 1);
  return (
    <figure className={classes.figure} ref={ref}>
      <figcaption>
        <span data-series="up">{names.up}</span>
        <span data-series="down">{names.down}</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
        <g transform={`translate(0 ${top})`}>
          {scale.lines.map(({ pounds, y }) => (
            <g key={pounds}>
              <line className={classes.line} x1={left} x2={width} y1={y} y2={y} />
              <text className={classes.label} x={left - 8} y={y + 4} textAnchor="end">
                {writePounds(pounds).replace('.00', '')}
              </text>
            </g>
          ))}
          {bars.map(({ day, up, down }, position) => {
            const x = left + position * step + (step - thickness) / 2;
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: the table below has a link for each day.
              <g key={day} className={classes.day} onClick={() => onDay?.(day)}>
                <title>{describe({ day, up, down }, names)}</title>
                <rect
                  className={classes.hover}
                  x={left + position * step}
                  width={step}
                  height={height}
                />
                <rect
                  className={classes.up}
                  x={x}
                  width={thickness}
                  y={scale.zero - scale.length(up)}
                  height={scale.length(up)}
                />
                <rect
                  className={classes.down}
                  x={x}
                  width={thickness}
                  y={scale.zero}
                  height={scale.length(down)}
                />
                {position % between === 0 && (
                  <text className={classes.label} x={x} y={height - top - 4}>
                    {writeDay(day).replace(/ \d{4}$/, '')}
                  </text>
                )}
              </g>
            );
          })}
        </g>
      </svg>
    </figure>
  );
};

const describe = ({ day, up, down }: Bar, names: BarChartProps['names']): string =>
  `${writeDay(day)}: ${names.up} ${writePounds(up)}; ${names.down} ${writePounds(down)}`;

type Amounts = { readonly up: number; readonly down: number };

type BarScale = {
  /** Where the line of nothing is, from the top. */
  readonly zero: number;
  readonly length: (pounds: number) => number;
  readonly lines: readonly { readonly pounds: number; readonly y: number }[];
};

const linesWanted = 4;

/** Fits the largest bars up and down into the height, with lines at round amounts. */
export const scaleBars = (
  bars: readonly Amounts[],
  { height }: { readonly height: number },
): BarScale => {
  const up = Math.max(...bars.map((bar) => bar.up), 0);
  const down = Math.max(...bars.map((bar) => bar.down), 0);
  const step = roundStep((up + down || 1) / linesWanted);
  const [above, below] = [Math.ceil(up / step) || 1, Math.ceil(down / step)];
  const perPound = height / ((above + below) * step);
  const zero = above * step * perPound;
  return {
    zero,
    length: (pounds) => Math.max(pounds, 0) * perPound,
    lines: Array.from({ length: above + below + 1 }, (_, position) => {
      const pounds = (position - below) * step;
      return { pounds, y: zero - pounds * perPound };
    }),
  };
};

/** 1, 2 or 5 times a power of ten, at least as large. */
const roundStep = (wanted: number): number => {
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([1, 2, 5].find((each) => each * power >= wanted) ?? 10) * power;
};
