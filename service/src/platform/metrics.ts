/** Numbers about this process, for its operator. Labels are few and never a merchant's data. */
export type Metrics = {
  readonly add: (name: string, amount?: number, labels?: Labels) => void;
  readonly set: (name: string, value: number) => void;
  /** A duration: counted, summed and sorted into buckets. */
  readonly observe: (name: string, durationMs: number) => void;
  /** The text format of Prometheus. */
  readonly text: () => string;
};

type Labels = Readonly<Record<string, string>>;
type Durations = { readonly counts: number[]; sumMs: number };

const boundsMs = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

const openMetrics = (): Metrics => {
  const values = new Map<string, number>();
  const durations = new Map<string, Durations>();
  return {
    add: (name, amount = 1, labels = {}) => {
      const key = seriesName(name, labels);
      values.set(key, (values.get(key) ?? 0) + amount);
    },
    set: (name, value) => {
      values.set(name, value);
    },
    observe: (name, durationMs) => {
      const known = durations.get(name) ?? { counts: boundsMs.concat(0).map(() => 0), sumMs: 0 };
      durations.set(name, known);
      const index = boundsMs.findIndex((bound) => durationMs <= bound);
      const bucket = index < 0 ? boundsMs.length : index;
      known.counts[bucket] = (known.counts[bucket] ?? 0) + 1;
      known.sumMs += durationMs;
    },
    text: () => {
      const plain = [...values].sort(([one], [other]) => (one < other ? -1 : 1));
      const written = new Set<string>();
      const lines = plain.map(([key, value]) => `${typeLine(written, key)}${key} ${value}\n`);
      return [...lines, ...[...durations].map(([name, known]) => durationText(name, known))].join(
        '',
      );
    },
  };
};

/** Once before the first series of a name; the name of a counter ends in `_total`. */
const typeLine = (written: Set<string>, key: string): string => {
  const [name = key] = key.split('{');
  if (written.has(name)) return '';
  written.add(name);
  return `# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}\n`;
};

const seriesName = (name: string, labels: Labels): string => {
  const written = Object.entries(labels).map(
    ([label, value]) => `${label}=${JSON.stringify(value)}`,
  );
  return written.length === 0 ? name : `${name}{${written.join(',')}}`;
};

const durationText = (name: string, { counts, sumMs }: Durations): string => {
  let total = 0;
  const buckets = counts.map((count, at) => {
    total += count;
    return `${name}_bucket{le="${boundsMs[at] ?? '+Inf'}"} ${total}\n`;
  });
  return `# TYPE ${name} histogram\n${buckets.join('')}${name}_count ${total}\n${name}_sum ${sumMs}\n`;
};

/** One registry for the process. */
export const metrics = openMetrics();
