import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

export type Job = {
  readonly name: string;
  /** Does what is due and answers the count. */
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
// Some twenty loops ask when something is due next.
const sharedForMs = 100;

/**
 * Runs jobs while there is work and waits while there is none. Each has a loop of its own, so that
 * a slow bank delays no expiry. Due rows are found in the database, so any number of processes may
 * do this, and a killed one loses nothing.
 */
export const runJobs = (
  tools: { readonly clock: Clock; readonly log: Log },
  jobs: readonly Job[],
  nextDueAt: () => Promise<Date | null>,
): RunningJobs => {
  const stopping = new AbortController();
  const napping = new Map<string, AbortController>();
  const nap = async (job: Job, durationMs: number): Promise<void> => {
    const waking = new AbortController();
    napping.set(job.name, waking);
    await tools.clock.sleep(durationMs, AbortSignal.any([waking.signal, stopping.signal]));
  };
  const shared = shareFor(sharedForMs, nextDueAt);
  const untilDueMs = async (): Promise<number> => {
    const due = await shared();
    return due ? due.getTime() - tools.clock.now().getTime() : longestIdleMs;
  };
  const loop = async (job: Job): Promise<void> => {
    let idleMs = shortestIdleMs;
    while (!stopping.signal.aborted)
      try {
        if ((await job.run()) > 0) {
          idleMs = shortestIdleMs;
          continue;
        }
        const waitMs = await untilDueMs();
        // Rows that are due and not done belong to another loop, or fail: no hurry.
        idleMs = waitMs > 0 ? shortestIdleMs : 2 * idleMs;
        await nap(job, Math.min(Math.max(waitMs, idleMs), longestIdleMs));
      } catch (error) {
        const { message } = error as Error;
        tools.log.warn({ job: job.name, error: message }, 'a job waits after a failure');
        await nap(job, afterFailureMs);
      }
  };
  const running = Promise.all(jobs.map(loop));
  return {
    wake: () => {
      for (const waking of napping.values()) waking.abort();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};

/** One call for all who ask within this time. */
export const shareFor = <Value>(ms: number, read: () => Promise<Value>): (() => Promise<Value>) => {
  let readUntil = 0;
  let reading: Promise<Value> | null = null;
  return () => {
    if (!reading || performance.now() >= readUntil) {
      readUntil = performance.now() + ms;
      reading = read();
    }
    return reading;
  };
};

/** Runs a job at most every so often, unless it had something to do. */
export const throttle = (everyMs: number, run: Job['run']): Job['run'] => {
  let nextAt = 0;
  return async () => {
    if (performance.now() < nextAt) return 0;
    nextAt = performance.now() + everyMs;
    const done = await run();
    if (done > 0) nextAt = 0;
    return done;
  };
};
