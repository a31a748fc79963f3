import { type Alert, alerts } from '../../tools/describe/alerts.ts';
import { waitUntil } from './wait-until.ts';

export type Series = {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

/** What /metrics writes. */
export const readSeries = (text: string): readonly Series[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (!name) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    const named = pairs.map(([, label = '', written = '']) => [label, written] as const);
    return [{ name, labels: Object.fromEntries(named), value: Number(value) }];
  });

/** What Prometheus would say of the alert after two looks, five minutes apart. */
export const firing = (
  { of, by, where = {}, is, limit }: Alert,
  now: readonly Series[],
  before: readonly Series[],
): readonly Series[] => {
  const isMeant = ({ name, labels }: Series): boolean =>
    name === of && Object.entries(where).every(([label, value]) => labels[label] === value);
  const keyOf = ({ labels }: Series): string => JSON.stringify(labels);
  const earlier = new Map(before.filter(isMeant).map((each) => [keyOf(each), each.value]));
  const grown = (series: Series): number => {
    const was = earlier.get(keyOf(series)) ?? 0;
    if (by === 'loss') return was - series.value;
    return by === 'growth' ? series.value - was : series.value;
  };
  return now.filter((series) => {
    if (!isMeant(series)) return false;
    const value = grown(series);
    return is === 'above' ? value > limit : value < limit;
  });
};

/** Waits until it fires by the numbers of the program at this address; answers its name. */
export const alertAt = async (url: string, name: Alert['name']): Promise<string> => {
  const meant = alerts.filter((each) => each.name === name);
  await waitUntil(async () => {
    const now = readSeries(await (await fetch(`${url}/metrics`)).text());
    return meant.some((each) => firing(each, now, []).length > 0);
  });
  return name;
};
