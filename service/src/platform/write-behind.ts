import { DatabaseUnavailable } from './database/database-unavailable.ts';

export type WriteBehind<Item> = {
  /** Never waited for, and never fails. */
  readonly add: (item: Item) => void;
  /** Writes what waits. */
  readonly drain: () => Promise<void>;
};

export type WriteBehindOptions<Item> = {
  readonly write: (batch: readonly Item[]) => Promise<unknown>;
  /** More than these: the oldest are dropped. */
  readonly maxWaiting: number;
  readonly onLost: (items: number, error?: Error) => void;
};

const writeAfterMs = 1_000;
const maxBatch = 1_000;

/** Items are written together, after their callers have gone on. What waits is lost with the program. */
export const openWriteBehind = <Item>({
  write,
  maxWaiting,
  onLost,
}: WriteBehindOptions<Item>): WriteBehind<Item> => {
  let waiting: Item[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;

  /** In halves when it fails: one item that cannot be written costs no other. */
  const writeEach = async (batch: readonly Item[]): Promise<void> => {
    try {
      await write(batch);
    } catch (error) {
      if (batch.length === 1 || error instanceof DatabaseUnavailable)
        return onLost(batch.length, error as Error);
      const middle = Math.ceil(batch.length / 2);
      await writeEach(batch.slice(0, middle));
      await writeEach(batch.slice(middle));
    }
  };
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      await writeEach(batch);
    }
  };
  const start = (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    writing ??= writeAll().finally(() => {
      writing = null;
    });
    return writing;
  };
  return {
    add: (item) => {
      if (waiting.length >= maxWaiting) {
        waiting.shift();
        onLost(1);
      }
      waiting.push(item);
      if (waiting.length >= maxBatch) void start();
      else timer ??= setTimeout(start, writeAfterMs).unref();
    },
    drain: async () => {
      while (waiting.length > 0 || writing) await start();
    },
  };
};
