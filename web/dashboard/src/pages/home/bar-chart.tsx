import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { writePounds } from '../../parts/numbers.ts';
import classes from './bar-chart.module.css';
import { scaleBars } from './bar-scale.ts';
import { ChartReading, seriesOf } from './chart-reading.tsx';

export type Bar = {
  /** 1 Mar 2026 */
  readonly title: string;
  readonly up: number;
  /** Drawn below the line; pounds, not negative. */
  readonly down: number;
  /** Drawn on the bar: of what was taken off, refunds that failed and disputes that were won. */
  readonly back: number;
  /** A point of the line behind the bars; undefined: not known. */
  readonly before: number | undefined;
  /** 1 Feb 2026 */
  readonly beforeTitle: string;
};

export type BarNames = Readonly<Record<'up' | 'down' | 'back' | 'before', string>>;

type BarChartProps = {
  /** "Sold and refunded by day" */
  readonly title: string;
  readonly names: BarNames;
  readonly bars: readonly Bar[];
  readonly onOpen: (position: number) => void;
};

const widthAtFirst = 720;
const height = 244;
const top = 22;
const left = 64;
const bottom = 24;
const tickWidth = 56;
/** Where not every bar has room for its day, the last has it and every fifth before, or every tenth. */
const tickStep = 5;

/**
 * Amounts by day: bars up from the line, and down for what was taken off. Pointer, finger and arrow keys read
 * one.
 */
export const BarChart = (props: BarChartProps): ReactNode => {
  const { title, names, bars, onOpen } = props;
  // Drawn at its own width: scaled, its words would be too small on a phone.
  const { ref, width: measured } = useElementSize();
  const [chosen, setChosen] = useState<number | null>(null);
  const width = measured || widthAtFirst;
  const step = (width - left) / Math.max(bars.length, 1);
  const at = chosen === null ? undefined : bars[chosen];
  const resting = bars.length - 1;
  const shown = bars[chosen ?? resting];
  const middle = left + ((chosen ?? resting) + 0.5) * step;
  const positionOf = ({ clientX, currentTarget }: PointerEvent): number => {
    const x = clientX - currentTarget.getBoundingClientRect().left - left;
    return Math.min(Math.max(Math.floor(x / step), 0), bars.length - 1);
  };
  const press = (event: KeyboardEvent): void => {
    const next = keyTo(event.key, chosen, bars.length);
    if (next === null) return;
    event.preventDefault();
    if (next === 'OPEN') onOpen(chosen ?? 0);
    else setChosen(next === 'NONE' ? null : next);
  };
  return (
    <div className={classes.figure} ref={ref}>
      <div
        className={classes.plot}
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={1}
        aria-valuemax={Math.max(bars.length, 1)}
        aria-valuenow={(chosen ?? 0) + 1}
        aria-valuetext={at ? describe(at, names) : 'No bar is chosen'}
        onKeyDown={press}
        onBlur={() => setChosen(null)}
        onPointerMove={(event) => setChosen(positionOf(event))}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setChosen(null)}
        onPointerDown={(event) => setChosen(positionOf(event))}
        onClick={(event) => {
          // A finger reads first; the table below has the links.
          if (
            (event.nativeEvent as globalThis.PointerEvent).pointerType !== 'touch' &&
            chosen !== null
          )
            onOpen(chosen);
        }}
      >
        {shown && (
          <ChartReading
            {...{ bar: shown, names, middle, series: seriesOf(bars), half: step / 2 }}
            isAtRight={middle > left + (width - left) / 2}
            isResting={!at}
          />
        )}
        <Drawing bars={bars} width={width} step={step} chosen={chosen} />
      </div>
    </div>
  );
};

/** What the colours mean; it stands beside the title of the chart. */
export const ChartLegend = ({ names, bars }: Pick<BarChartProps, 'names' | 'bars'>): ReactNode => (
  <span className={classes.legend}>
    {seriesOf(bars).map((series) => (
      <span key={series} data-series={series}>
        {names[series]}
      </span>
    ))}
  </span>
);

const keyTo = (
  key: string,
  chosen: number | null,
  count: number,
): number | 'OPEN' | 'NONE' | null => {
  const [first, last] = [0, Math.max(count - 1, 0)];
  if (key === 'Enter') return 'OPEN';
  if (key === 'Escape') return 'NONE';
  if (key === 'Home') return first;
  if (key === 'End') return last;
  if (key === 'ArrowRight' || key === 'ArrowUp') return Math.min((chosen ?? -1) + 1, last);
  if (key === 'ArrowLeft' || key === 'ArrowDown') return Math.max((chosen ?? count) - 1, first);
  return null;
};

const describe = ({ title, up, down, back, before }: Bar, names: BarNames): string =>
  [
    `${title}: ${names.up.toLowerCase()} ${writePounds(up)}`,
    down > 0 && `${names.down.toLowerCase()} ${writePounds(down)}`,
    back > 0 && `${names.back.toLowerCase()} ${writePounds(back)}`,
    before !== undefined && `${names.before} ${writePounds(before)}`,
  ]
    .filter(Boolean)
    .join(' · ');

const inShort = new Intl.NumberFormat('en-GB', {
  ...{ style: 'currency', currency: 'GBP', notation: 'compact', maximumFractionDigits: 1 },
});
const shortFrom = 10_000;

/** Beside a line: £500, £20K. */
const writeMark = (pounds: number): string =>
  Math.abs(pounds) >= shortFrom
    ? inShort.format(pounds).replace('-', '−')
    : writePounds(pounds).replace('.00', '');

type DrawingProps = {
  readonly bars: readonly Bar[];
  readonly width: number;
  readonly step: number;
  readonly chosen: number | null;
};

const Drawing = ({ bars, width, step, chosen }: DrawingProps): ReactNode => {
  const scale = scaleBars(bars, { height: height - bottom - top });
  const thickness = Math.max(Math.min(step * 0.7, 56), 1);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <g transform={`translate(0 ${top})`}>
        {scale.lines.map(({ pounds, y }) => (
          <g key={pounds}>
            <line
              className={classes.line}
              data-zero={pounds === 0 || undefined}
              {...{ x1: left, x2: width, y1: y, y2: y }}
            />
            <text className={classes.label} x={left - 8} y={y + 4} textAnchor="end">
              {writeMark(pounds)}
            </text>
          </g>
        ))}
        {chosen !== null && (
          <rect
            {...{ className: classes.chosen, width: step, y: -top, height }}
            x={left + chosen * step}
          />
        )}
        <Before bars={bars} step={step} yOf={(pounds) => scale.zero - scale.length(pounds)} />
        {bars.map(({ title, up, down, back }, position) => {
          const x = left + position * step + (step - thickness) / 2;
          const y = Math.max(scale.zero - scale.length(up), 0);
          const backHeight = Math.min(scale.length(back), y);
          return (
            <g key={title}>
              <rect
                className={classes.up}
                x={x}
                width={thickness}
                y={y}
                height={scale.zero - y}
                rx={1.5}
              />
              <rect
                className={classes.back}
                x={x + 0.5}
                width={thickness - 1}
                y={y - backHeight}
                height={backHeight}
              />
              <rect
                className={classes.down}
                x={x}
                width={thickness}
                y={scale.zero}
                height={Math.min(scale.length(down), height - bottom - top - scale.zero)}
              />
            </g>
          );
        })}
        <Days titles={bars.map(({ title }) => title)} width={width} step={step} />
      </g>
    </svg>
  );
};

type BeforeProps = Pick<DrawingProps, 'bars' | 'step'> & {
  readonly yOf: (pounds: number) => number;
};

/** The period before, as a line from edge to edge. */
const Before = ({ bars, step, yOf }: BeforeProps): ReactNode => {
  if (!bars.some(({ before }) => before)) return null;
  const ys = bars.map(({ before = 0 }) => yOf(before));
  const middles = ys.map((y, position) => `${left + (position + 0.5) * step},${y}`);
  const points = [`${left},${ys[0]}`, ...middles, `${left + ys.length * step},${ys.at(-1)}`];
  return <polyline className={classes.before} points={points.join(' ')} />;
};

type DaysProps = Pick<DrawingProps, 'width' | 'step'> & { readonly titles: readonly string[] };

/** Those that there is room for, from the last one back, and the first where it has some. */
const Days = ({ titles, width, step }: DaysProps): ReactNode => {
  const between = step >= tickWidth ? 1 : Math.ceil(tickWidth / step / tickStep) * tickStep;
  const last = titles.length - 1;
  const placeOf = (position: number) => {
    if (position === last && step < tickWidth) return { x: width, textAnchor: 'end' } as const;
    if (last % between !== 0 && position === 0) return { x: left, textAnchor: 'start' } as const;
    return { x: left + (position + 0.5) * step, textAnchor: 'middle' } as const;
  };
  const hasFirst = (last % between) * step >= tickWidth * firstRoom;
  return titles.map(
    (title, position) =>
      ((last - position) % between === 0 || (position === 0 && hasFirst)) && (
        <text key={title} className={classes.label} y={height - top - 4} {...placeOf(position)}>
          {title.replace(/ to .*$| \d{4}$/, '')}
        </text>
      ),
  );
};

/** It begins at the edge, and the next one has its middle at its bar. */
const firstRoom = 1.5;
