export type GatherRules<Item, Result> = {
  /** At the same index as its item. A rejection says that nothing was done for any of them. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items that have one in common never go together. */
  readonly keysOf: (item: Item) => readonly string[];
  /** After this nobody knows what was done: then nothing is tried again. */
  readonly isOutcomeUnknown: (error: unknown) => boolean;
  readonly mostRunning: number;
  readonly mostTogether: number;
};

type Call<Item, Result> = {
  readonly item: Item;
  /** Has failed together with others. */
  readonly goesAlone: boolean;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Many calls at the same moment become few runs: who comes while all runs are busy waits, and then goes
 * with the others. Who comes alone goes at once. Where a run fails, each of its items is run by itself, so
 * that one bad item harms no other; they take their turns, as a run that waited may do so again.
 */
export const gatherCalls = <Item, Result>(rules: GatherRules<Item, Result>) => {
  let waiting: Call<Item, Result>[] = [];
  let running = 0;
  let isPlanned = false;
  const start = (): void => {
    isPlanned = false;
    while (running < rules.mostRunning && waiting.length > 0) {
      const [together, later] = chooseTogether(waiting, rules);
      waiting = later;
      running += 1;
      void runTogether(rules, together).then((failed) => {
        running -= 1;
        waiting = [...failed.map((call) => ({ ...call, goesAlone: true })), ...waiting];
        start();
      });
    }
  };
  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, goesAlone: false, resolve, reject });
      if (isPlanned) return;
      isPlanned = true;
      // What arrives in the same round of the event loop goes together also when nothing is busy.
      setImmediate(start);
    });
};

type Calls<Item, Result> = readonly Call<Item, Result>[];

const chooseTogether = <Item, Result>(
  waiting: Calls<Item, Result>,
  { keysOf, mostTogether }: GatherRules<Item, Result>,
): [Call<Item, Result>[], Call<Item, Result>[]] => {
  const [first, ...others] = waiting;
  if (first?.goesAlone) return [[first], others];
  const together: Call<Item, Result>[] = [];
  const later: Call<Item, Result>[] = [];
  const taken = new Set<string>();
  for (const call of waiting) {
    const keys = keysOf(call.item);
    const isFull = together.length >= mostTogether || call.goesAlone;
    const isHeld = isFull || keys.some((key) => taken.has(key));
    (isHeld ? later : together).push(call);
    if (!isHeld) for (const key of keys) taken.add(key);
  }
  return [together, later];
};

/** Gives back those who are to be tried by themselves. */
const runTogether = async <Item, Result>(
  rules: GatherRules<Item, Result>,
  calls: Calls<Item, Result>,
): Promise<Calls<Item, Result>> => {
  try {
    const results = await rules.run(calls.map(({ item }) => item));
    calls.forEach(({ resolve }, index) => {
      resolve(results[index] as Result);
    });
  } catch (error) {
    if (calls.length > 1 && !rules.isOutcomeUnknown(error)) return calls;
    for (const { reject } of calls) reject(error);
  }
  return [];
};
