import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

export type Job = {
  readonly name: string;
  /** Does what is due and says how much that was. */
  readonly run: () => Promise<number>;
};

export type RunningJobs = {
  /** Look now: something became due in this process. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

const longestIdleMs = 500;
const shortestIdleMs = 20;
const afterFailureMs = 1_000;

/**
 * Runs jobs while there is work and waits while there is none. What is due is found in the database,
 * so any number of processes may do this, and a killed one loses nothing.
 */
export const runJobs = (
  tools: { readonly clock: Clock; readonly log: Log },
  jobs: readonly Job[],
  nextDueAt: () => Promise<Date | null>,
): RunningJobs => {
  const stopping = new AbortController();
  let napping = new AbortController();
  const nap = async (durationMs: number): Promise<void> => {
    napping = new AbortController();
    await tools.clock.sleep(durationMs, AbortSignal.any([napping.signal, stopping.signal]));
  };
  const runAll = async (): Promise<number> => {
    const counts = await Promise.all(jobs.map((job) => job.run()));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const round = async (): Promise<void> => {
    if ((await runAll()) > 0) return;
    const due = await nextDueAt();
    const untilDueMs = due ? due.getTime() - tools.clock.now().getTime() : longestIdleMs;
    await nap(Math.min(Math.max(untilDueMs, shortestIdleMs), longestIdleMs));
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted)
      try {
        await round();
      } catch (error) {
        tools.log.warn({ error: (error as Error).message }, 'jobs wait for the database');
        await nap(afterFailureMs);
      }
  };
  const running = loop();
  return {
    wake: () => napping.abort(),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
