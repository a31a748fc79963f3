import type { Log } from './log.ts';

export type SideBySide = ReturnType<typeof openSideBySide>;

type Queue<Item> = {
  readonly name: string;
  /** How many are taken at once, and how many may be under way. */
  readonly claimed: number;
  readonly slots: number;
  readonly claim: (limit: number) => Promise<readonly Item[]>;
  readonly work: (item: Item) => Promise<unknown>;
};

/**
 * Works on the items of a queue side by side. What takes longer than `patience` goes on, and the next are
 * taken meanwhile: one that hangs holds its slot, and no other item.
 */
export const openSideBySide = (log: Log, patience: () => Promise<unknown>) => {
  const running = new Map<string, Set<Promise<unknown>>>();
  const runningOf = (name: string): Set<Promise<unknown>> => {
    const own = running.get(name) ?? new Set();
    running.set(name, own);
    return own;
  };
  return {
    /** Answers how many were taken. Fails when one of them fails while it waits. */
    run: async <Item>({ name, claimed, slots, claim, work }: Queue<Item>): Promise<number> => {
      const own = runningOf(name);
      const free = Math.min(claimed, slots - own.size);
      if (free <= 0) return 0;
      const started = (await claim(free)).map((item) => {
        const working = work(item).finally(() => own.delete(working));
        working.catch((error: unknown) => log.warn({ queue: name, error }, 'its lease has to end'));
        own.add(working);
        return working;
      });
      if (started.length > 0) await Promise.race([Promise.all(started), patience()]);
      return started.length;
    },
    /** When nothing is under way any more. */
    drain: async (): Promise<void> => {
      await Promise.allSettled([...running.values()].flatMap((own) => [...own]));
    },
  };
};
