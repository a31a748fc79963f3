import { daysBefore, listDays, type Period, writeDay, writeSpan } from '../../parts/times.ts';
import { writeMonth } from './months.ts';

export type DayAmounts = {
  readonly day: string;
  readonly sold: number;
  readonly refunded: number;
  readonly reversed: number;
  readonly fees: number;
  readonly paidOut?: number;
};

/** A bar of the chart, and a row of its table. */
export type Stretch = Omit<DayAmounts, 'day'> &
  Period & {
    readonly title: string;
    /** Sold in as many days before, at the same place; undefined: not known yet. */
    readonly before: number | undefined;
    /** Which days they were. */
    readonly beforeTitle: string;
  };

/** What one bar is of; a total runs from the first day on. */
export type Step = 'day' | 'week' | 'month' | 'total';

const daysMax = 62;
const weeksMin = 14;
const weeksMax = 200;

/** The ways to draw so many days whose bars still can be told apart. */
export const stepsOf = (count: number): readonly Step[] =>
  (['day', 'week', 'month', 'total'] as const).filter((step) => {
    if (step === 'day') return count <= daysMax;
    if (step === 'week') return count >= weeksMin && count <= weeksMax;
    return step === 'month' ? count > weeksMax : count > 1;
  });

/** The first in which no bar presses the others flat; a total never does. */
export const readableStep = (days: readonly DayAmounts[]): Step =>
  stepsOf(days.length).find((step) => {
    const sold = groupDays(days, undefined, step).map((stretch) => stretch.sold);
    const median = sold.toSorted((one, other) => one - other)[Math.floor(sold.length / 2)] ?? 0;
    return median >= Math.max(...sold) * flatBelow;
  }) ?? 'total';

const flatBelow = 0.1;

/** For a total each day is one: `runningTotal` adds them up. */
export const groupDays = (
  days: readonly DayAmounts[],
  /** Days with a sale among as many before. */
  earlier: readonly Pick<DayAmounts, 'day' | 'sold'>[] | undefined,
  step: Step,
): readonly Stretch[] => {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const soldOn = new Map(earlier?.map(({ day, sold }) => [day, sold]));
  const before = listDays(daysBefore({ from: first.day, to: last.day }));
  const groups = new Map<string, Compared[]>();
  for (const [position, day] of days.entries()) {
    const key = keyOf(day.day, days.length - position - 1, step);
    const group = groups.get(key) ?? [];
    const beforeDay = before[position] ?? '';
    group.push({ ...day, beforeDay, before: soldOn.get(beforeDay) ?? 0 });
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => stretchOf(group, step, earlier !== undefined));
};

type Compared = DayAmounts & { readonly before: number; readonly beforeDay: string };

/** The newest week is whole; what is left over is the first. */
const keyOf = (day: string, daysLeft: number, step: Step): string => {
  if (step === 'month') return day.slice(0, 7);
  return step === 'week' ? String(Math.floor(daysLeft / 7)) : day;
};

const stretchOf = (group: readonly Compared[], step: Step, isKnown: boolean): Stretch => {
  const [from, to] = [group[0]?.day ?? '', group.at(-1)?.day ?? ''];
  const sum = (of: (day: (typeof group)[number]) => number): number => addUp(group.map(of));
  return {
    ...{ from, to },
    title: titleOf({ from, to }, step),
    sold: sum(({ sold }) => sold),
    refunded: sum(({ refunded }) => refunded),
    reversed: sum(({ reversed }) => reversed),
    fees: sum(({ fees }) => fees),
    paidOut: sum(({ paidOut = 0 }) => paidOut),
    before: isKnown ? sum(({ before }) => before) : undefined,
    beforeTitle: writeSpan({
      from: group[0]?.beforeDay ?? '',
      to: group.at(-1)?.beforeDay ?? '',
    }),
  };
};

/** In whole pence, so that nothing is lost. */
export const addUp = (amounts: readonly number[]): number =>
  amounts.reduce((pence, pounds) => pence + Math.round(pounds * 100), 0) / 100;

const titleOf = ({ from, to }: Period, step: Step): string => {
  if (step === 'month') return writeMonth(from.slice(0, 7));
  if (from === to) return writeDay(from);
  return `${writeDay(from).replace(/ \d{4}$/, '')} to ${writeDay(to)}`;
};

/** What is sold and refunded from the first day up to each. */
export const runningTotal = (stretches: readonly Stretch[]): readonly Stretch[] =>
  stretches.map((stretch, position) => {
    const until = stretches.slice(0, position + 1);
    return {
      ...stretch,
      sold: addUp(until.map(({ sold }) => sold)),
      refunded: addUp(until.map(({ refunded }) => refunded)),
      reversed: addUp(until.map(({ reversed }) => reversed)),
      before:
        stretch.before === undefined ? undefined : addUp(until.map(({ before = 0 }) => before)),
      beforeTitle: `Up to ${stretch.beforeTitle}`,
    };
  });
