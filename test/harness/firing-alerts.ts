import type { Alert } from '../../tools/describe/alerts.ts';

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
  const grown = ({ labels, value }: Series): number => {
    const earlier = before.find(
      (other) => other.name === of && JSON.stringify(other.labels) === JSON.stringify(labels),
    );
    if (by === 'loss') return (earlier?.value ?? 0) - value;
    return by === 'growth' ? value - (earlier?.value ?? 0) : value;
  };
  return now.filter((series) => {
    const isMeant = Object.entries(where).every(([label, value]) => series.labels[label] === value);
    const value = grown(series);
    return series.name === of && isMeant && (is === 'above' ? value > limit : value < limit);
  });
};
