/** Numbers about this process, for its operator. Labels are few and never a merchant's data. */
export type Metrics = {
  readonly add: (name: string, amount?: number, labels?: Labels) => void;
  readonly set: (name: string, value: number, labels?: Labels) => void;
  /** Read when the text is written. */
  readonly read: (name: string, value: () => number) => void;
  /** Forgets what `set` has set under this name: a kind of work that is done has no series any more. */
  readonly clear: (name: string) => void;
  /** A duration: counted, summed and sorted into buckets. */
  readonly observe: (name: string, durationMs: number, labels?: Labels) => void;
  /** The text format of Prometheus. */
  readonly text: () => string;
};

type Labels = Readonly<Record<string, string>>;
type Durations = {
  readonly name: string;
  readonly labels: Labels;
  readonly counts: number[];
  sumMs: number;
};

const boundsMs = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];

const openMetrics = (): Metrics => {
  const values = new Map<string, number>();
  const readings = new Map<string, () => number>();
  const durations = new Map<string, Durations>();
  return {
    add: (name, amount = 1, labels = {}) => {
      const key = seriesName(name, labels);
      values.set(key, (values.get(key) ?? 0) + amount);
    },
    set: (name, value, labels = {}) => {
      values.set(seriesName(name, labels), value);
    },
    read: (name, value) => {
      readings.set(name, value);
    },
    clear: (name) => {
      for (const key of values.keys())
        if (key === name || key.startsWith(`${name}{`)) values.delete(key);
    },
    observe: (name, durationMs, labels = {}) => {
      const key = seriesName(name, labels);
      const counts = boundsMs.concat(0).map(() => 0);
      const known = durations.get(key) ?? { name, labels, counts, sumMs: 0 };
      durations.set(key, known);
      const index = boundsMs.findIndex((bound) => durationMs <= bound);
      const bucket = index < 0 ? boundsMs.length : index;
      known.counts[bucket] = (known.counts[bucket] ?? 0) + 1;
      known.sumMs += durationMs;
    },
    text: () => {
      const read = [...readings].map(([name, value]) => [name, value()] as const);
      const plain = [...values, ...read].sort(([one], [other]) => (one < other ? -1 : 1));
      const written = new Set<string>();
      const lines = plain.map(([key, value]) => `${typeLine(written, key)}${key} ${value}\n`);
      const timed = [...durations.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
      return [...lines, ...timed.map((known) => durationText(written, known))].join('');
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

const durationText = (written: Set<string>, { name, labels, counts, sumMs }: Durations): string => {
  let total = 0;
  const buckets = counts.map((count, at) => {
    total += count;
    const le = `${boundsMs[at] ?? '+Inf'}`;
    return `${seriesName(`${name}_bucket`, { ...labels, le })} ${total}\n`;
  });
  const type = written.has(name) ? '' : `# TYPE ${name} histogram\n`;
  written.add(name);
  const [count, sum] = [`${name}_count`, `${name}_sum`].map((each) => seriesName(each, labels));
  return `${type}${buckets.join('')}${count} ${total}\n${sum} ${sumMs}\n`;
};

/** One registry for the process. */
export const metrics = openMetrics();
