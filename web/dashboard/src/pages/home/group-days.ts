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

/** A bar of the chart, and a row of its table: a day, or as many as still can be told apart. */
export type Stretch = Omit<DayAmounts, 'day'> &
  Period & {
    readonly title: string;
    /** Sold in as many days before, at the same place; undefined: not known yet. */
    readonly before: number | undefined;
    /** Which days they were. */
    readonly beforeTitle: string;
  };

const weeksFrom = 63;
const monthsFrom = 200;

/** Of this many days each is drawn; of more, weeks; of more still, months. */
export const groupDays = (
  days: readonly DayAmounts[],
  /** Days with a sale among as many before. */
  earlier: readonly Pick<DayAmounts, 'day' | 'sold'>[] | undefined,
): readonly Stretch[] => {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return [];
  const soldOn = new Map(earlier?.map(({ day, sold }) => [day, sold]));
  const before = listDays(daysBefore({ from: first.day, to: last.day }));
  const groups = new Map<string, Compared[]>();
  for (const [position, day] of days.entries()) {
    const key = keyOf(day.day, position, days.length);
    const group = groups.get(key) ?? [];
    const beforeDay = before[position] ?? '';
    group.push({ ...day, beforeDay, before: soldOn.get(beforeDay) ?? 0 });
    groups.set(key, group);
  }
  return [...groups.values()].map((group) => stretchOf(group, days.length, earlier !== undefined));
};

type Compared = DayAmounts & { readonly before: number; readonly beforeDay: string };

const keyOf = (day: string, position: number, count: number): string => {
  if (count > monthsFrom) return day.slice(0, 7);
  return count > weeksFrom ? String(Math.floor(position / 7)) : day;
};

const stretchOf = (group: readonly Compared[], count: number, isKnown: boolean): Stretch => {
  const [from, to] = [group[0]?.day ?? '', group.at(-1)?.day ?? ''];
  const sum = (of: (day: (typeof group)[number]) => number): number =>
    group.reduce((pence, day) => pence + Math.round(of(day) * 100), 0) / 100;
  return {
    ...{ from, to },
    title: titleOf({ from, to }, count),
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

const titleOf = ({ from, to }: Period, count: number): string => {
  if (from === to) return writeDay(from);
  if (count > monthsFrom) return writeMonth(from.slice(0, 7));
  return `${writeDay(from).replace(/ \d{4}$/, '')} to ${writeDay(to)}`;
};
