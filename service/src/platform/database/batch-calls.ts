import { DatabaseUnavailable } from './database-unavailable.ts';

export type BatchRules<Item, Result> = {
  /** Answers each result at the index of its item. A rejection means that none of them was done. */
  readonly run: (items: readonly Item[], waitedMs: number) => Promise<readonly Result[]>;
  /** Items with a key in common never share a batch. */
  readonly keysOf: (item: Item) => readonly string[];
  readonly maxConcurrent: number;
  readonly maxBatchSize: number;
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
};

type Call<Item, Result> = {
  readonly item: Item;
  /** Its batch has failed. */
  readonly runsAlone: boolean;
  readonly calledAtMs: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Batches concurrent calls. A call runs at once while a run is free; calls that arrive while all runs are
 * busy wait and form the next batch. When a batch fails, each of its items is run alone, one after the
 * other, so that one bad item does not fail the rest.
 */
export const batchCalls = <Item, Result>(rules: BatchRules<Item, Result>) => {
  let waiting: Call<Item, Result>[] = [];
  let running = 0;
  let isPlanned = false;
  const start = (): void => {
    isPlanned = false;
    waiting = dropLate(waiting, rules);
    while (running < rules.maxConcurrent && waiting.length > 0) {
      const [batch, later] = chooseBatch(waiting, rules);
      waiting = later;
      running += 1;
      void runBatch(rules, batch).then((failed) => {
        running -= 1;
        waiting = [...failed.map((call) => ({ ...call, runsAlone: true })), ...waiting];
        start();
      });
    }
  };
  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (waiting.length >= rules.maxWaiting) return reject(overloaded('too many calls wait'));
      waiting.push({ item, runsAlone: false, calledAtMs: performance.now(), resolve, reject });
      if (isPlanned) return;
      isPlanned = true;
      // Calls of the same round of the event loop share a batch even when no run is busy.
      setImmediate(start);
    });
};

/** The error of a call that never ran. */
const overloaded = (reason: string) => new DatabaseUnavailable(new Error(reason), false);

/** Then nothing is run again. */
const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.isOutcomeUnknown;

type Calls<Item, Result> = readonly Call<Item, Result>[];

/** Runs end by their own time limit, so looking when one ends is often enough. */
const dropLate = <Item, Result>(
  waiting: Call<Item, Result>[],
  { maxWaitMs }: BatchRules<Item, Result>,
): Call<Item, Result>[] => {
  const calledSinceMs = performance.now() - maxWaitMs;
  const [first] = waiting;
  if (!first || first.calledAtMs >= calledSinceMs) return waiting;
  return waiting.filter(({ calledAtMs, reject }) => {
    if (calledAtMs < calledSinceMs) reject(overloaded('a call waited too long'));
    return calledAtMs >= calledSinceMs;
  });
};

const chooseBatch = <Item, Result>(
  waiting: Calls<Item, Result>,
  { keysOf, maxBatchSize }: BatchRules<Item, Result>,
): [Call<Item, Result>[], Call<Item, Result>[]] => {
  const [first, ...others] = waiting;
  if (first?.runsAlone) return [[first], others];
  const batch: Call<Item, Result>[] = [];
  const later: Call<Item, Result>[] = [];
  const takenKeys = new Set<string>();
  for (const call of waiting) {
    const keys = keysOf(call.item);
    const isFull = batch.length >= maxBatchSize || call.runsAlone;
    const mustWait = isFull || keys.some((key) => takenKeys.has(key));
    (mustWait ? later : batch).push(call);
    if (!mustWait) for (const key of keys) takenKeys.add(key);
  }
  return [batch, later];
};

/** Answers the calls that have to be run alone. */
const runBatch = async <Item, Result>(
  rules: BatchRules<Item, Result>,
  calls: Calls<Item, Result>,
): Promise<Calls<Item, Result>> => {
  try {
    const waitedMs = performance.now() - Math.min(...calls.map(({ calledAtMs }) => calledAtMs));
    const items = calls.map(({ item }) => item);
    const results = await rules.run(items, waitedMs);
    calls.forEach(({ resolve }, index) => {
      resolve(results[index] as Result);
    });
  } catch (error) {
    if (calls.length > 1 && !isOutcomeUnknown(error)) return calls;
    for (const { reject } of calls) reject(error);
  }
  return [];
};
