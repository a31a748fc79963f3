import type { Log } from '#platform/log.ts';
import type { AttemptResult } from './attempt/attempt-delivery.ts';
import type { Completion, Unwritten } from './complete-attempts.ts';
import type { HealthTally } from './endpoint-health.ts';

const maxBatch = 200;
const batchMs = 2;
// Results that arrive while a batch is written go together into the next: one statement instead of
// ten.
const batchBehindMs = 20;
const flushesAtOnce = 2;
const retryFlushMs = 250;

/**
 * Writes the results of a moment together. What cannot be written is retried until its
 * leases are over: then the next claim owns the deliveries.
 */
export const completionBatches = (options: {
  /** Once per batch: the endpoint health to write with it. */
  readonly healthsWith: (results: readonly AttemptResult[]) => readonly HealthTally[];
  readonly write: (completion: Completion) => Promise<Unwritten>;
  readonly onWritten: (results: readonly AttemptResult[]) => void;
  readonly leaseMs: number;
  readonly log: Log;
}) => {
  let waiting: AttemptResult[] = [];
  let timer: NodeJS.Timeout | null = null;
  const flushing = new Set<Promise<void>>();
  const start = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    while (waiting.length > 0 && flushing.size < flushesAtOnce) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      const flush = writePatiently(batch).finally(() => {
        flushing.delete(flush);
        if (waiting.length > 0) start();
      });
      flushing.add(flush);
    }
  };
  const writePatiently = async (batch: readonly AttemptResult[]): Promise<void> => {
    const until = performance.now() + options.leaseMs;
    let left: Completion = { results: batch, healths: options.healthsWith(batch) };
    for (;;) {
      const { error, ...unwritten } = await options.write(left);
      const isOver = error === null || performance.now() > until;
      const waiting = new Set(isOver ? [] : unwritten.results.map(({ row }) => row));
      options.onWritten(left.results.filter(({ row }) => !waiting.has(row)));
      if (error === null) return;
      const fields = { error: error.message, deliveries: unwritten.results.length };
      options.log.warn(fields, 'results of deliveries could not be written');
      if (isOver) return;
      left = unwritten;
      await new Promise((resolve) => setTimeout(resolve, retryFlushMs));
    }
  };
  return {
    add: (result: AttemptResult): void => {
      waiting.push(result);
      if (waiting.length >= maxBatch) start();
      else timer ??= setTimeout(start, flushing.size === 0 ? batchMs : batchBehindMs);
    },
    /** Everything that was added is written, or given up. */
    drain: async (): Promise<void> => {
      start();
      while (flushing.size > 0) await Promise.race(flushing);
    },
  };
};

export type CompletionBatches = ReturnType<typeof completionBatches>;
