import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { metrics } from './metrics.ts';

export type Job = {
  readonly name: string;
  /** Does what is due and answers the count. */
  readonly run: () => Promise<number>;
  /**
   * So often, first a minute after the start at the latest, and at once while it has something to do. Left
   * out: only when a look says that it is due.
   */
  readonly everyMs?: number;
  /** What its last rounds have left running has ended. */
  readonly drain?: () => Promise<void>;
};

/** By job: in how many milliseconds its earliest work is due, by the database's clock; null: none waits. */
export type DueWork = Readonly<Record<string, number | null>>;

/** Where is noted that a job failed as a whole, and that it works again. */
export type JobRecord = {
  readonly failed: (job: string, error: unknown) => Promise<unknown>;
  readonly worked: (job: string) => Promise<unknown>;
  /** Those that an operator wants tried now: each is told to one worker, once. */
  readonly takeHurried: () => Promise<readonly string[]>;
};

/** The name under which a look says that `takeHurried` has some. */
export const hurriedJobs = 'hurriedJobs';

export type RunningJobs = {
  readonly names: readonly string[];
  readonly stop: () => Promise<void>;
};

export const lookName = 'lookForWork';
const longestIdleMs = 500;
// After so long without work half a second more is not noticed.
const quietAfterMs = 10_000;
const longestQuietMs = 1_000;
// Under load, between two looks.
const shortestIdleMs = 50;
const afterFailureMs = 1_000;
// A look may not be the only way to work: what it would miss is found by this.
const runAnywayEveryMs = 60_000;

/**
 * Runs jobs while there is work and waits while there is none. One look at the database says for all of
 * them what is due and when the next will be, so an idle worker costs next to nothing. Each job runs
 * on its own: a slow bank delays no expiry. Any number of processes may do this, and a killed one
 * loses nothing.
 */
export const runJobs = (
  tools: { readonly clock: Clock; readonly log: Log },
  jobs: readonly Job[],
  lookForWork: () => Promise<DueWork>,
  record: JobRecord,
): RunningJobs => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let napping = new AbortController();
  const running = new Set<Promise<void>>();
  const states = jobs.map(stateOf);
  let workedAt = performance.now();
  // Also what an earlier worker noted, which may be gone.
  const mayBeNoted = new Set([...jobs.map(({ name }) => name), lookName]);
  const noteFailure = async (job: string, error: unknown): Promise<void> => {
    tools.log.warn({ job, error: (error as Error).message }, 'a job waits after a failure');
    mayBeNoted.add(job);
    await record.failed(job, error).catch(() => undefined);
  };
  const noteWork = async (job: string): Promise<void> => {
    if (!mayBeNoted.delete(job)) return;
    await record.worked(job).catch(() => mayBeNoted.add(job));
  };
  const start = (state: JobState): void => {
    const run = runUntilDone(state, signal)
      .then((count) => {
        if (count > 0) workedAt = performance.now();
        noteRun(state.job, tools.clock.now());
        return noteWork(state.job.name);
      })
      .catch((error: unknown) => {
        state.notBefore = performance.now() + afterFailureMs;
        return noteFailure(state.job.name, error);
      })
      .finally(() => {
        running.delete(run);
        // What it did may have made other work due.
        if (state.job.everyMs === undefined) napping.abort();
      });
    running.add(run);
  };
  /** Starts what is due and answers when to look again. */
  const look = async (): Promise<number> => {
    const dueWork = await lookForWork();
    void noteWork(lookName);
    const hurried = await takeHurried(record, dueWork, states);
    // Another worker may have noted them.
    for (const name of hurried) mayBeNoted.add(name);
    const now = performance.now();
    for (const state of states.filter((each) => !each.isRunning))
      if (state.isHurried || inMs(state, dueWork, now) <= 0) start(state);
    const idle = states.filter(({ isRunning }) => !isRunning);
    const nextInMs = Math.min(...idle.map((state) => inMs(state, dueWork, now)));
    const longestMs = now - workedAt < quietAfterMs ? longestIdleMs : longestQuietMs;
    return Math.min(longestMs, Math.max(shortestIdleMs, nextInMs));
  };
  const looking = (async () => {
    while (!signal.aborted) {
      const waitMs = await look().catch((error: unknown) => {
        void noteFailure(lookName, error);
        return afterFailureMs;
      });
      napping = new AbortController();
      await tools.clock.sleep(shortestIdleMs, signal);
      await tools.clock.sleep(waitMs - shortestIdleMs, napping.signal);
    }
  })();
  return {
    names: jobs.map(({ name }) => name),
    stop: async () => {
      stopping.abort();
      napping.abort();
      await looking;
      await Promise.all(running);
      await Promise.all(jobs.map(({ drain }) => drain?.()));
    },
  };
};

/** Of this worker; what is due and not done is seen by every program. */
const noteRun = ({ name }: Job, endedAt: Date): void =>
  metrics.set('florin_job_last_run_timestamp_seconds', endedAt.getTime() / 1_000, { job: name });

/** One that runs just now may have passed what is wanted: it runs once more. */
const takeHurried = async (
  record: JobRecord,
  dueWork: DueWork,
  states: readonly JobState[],
): Promise<readonly string[]> => {
  if ((dueWork[hurriedJobs] ?? Infinity) > 0) return [];
  const names = await record.takeHurried();
  for (const state of states) if (names.includes(state.job.name)) state.isHurried = true;
  return names;
};

type JobState = {
  readonly job: Job;
  isRunning: boolean;
  /** An operator wants it, and it has not started since. */
  isHurried: boolean;
  ranAt: number;
  idleMs: number;
  notBefore: number;
};

const everyMsOf = ({ everyMs = runAnywayEveryMs }: Job): number => everyMs;

const stateOf = (job: Job): JobState => ({
  job,
  isRunning: false,
  isHurried: false,
  // Of a start, 0.7 s of CPU went to rounds that found nothing: what is due is found by a look.
  ranAt: performance.now() - Math.max(0, everyMsOf(job) - runAnywayEveryMs),
  idleMs: shortestIdleMs,
  notBefore: 0,
});

const inMs = (state: JobState, dueWork: DueWork, now: number): number => {
  const { job, ranAt, notBefore } = state;
  const mayRunInMs = notBefore - now;
  const againInMs = Math.max(mayRunInMs, ranAt + everyMsOf(job) - now);
  if (job.everyMs !== undefined && !(job.name in dueWork)) return againInMs;
  if (!(job.name in dueWork)) throw new Error(`no look says when ${job.name} is due`);
  const dueInMs = dueWork[job.name] ?? Infinity;
  if (dueInMs > 0) state.idleMs = shortestIdleMs;
  return Math.min(againInMs, Math.max(mayRunInMs, dueInMs));
};

const runUntilDone = async (state: JobState, signal: AbortSignal): Promise<number> => {
  state.isRunning = true;
  state.isHurried = false;
  let total = 0;
  let count = 0;
  try {
    do {
      state.ranAt = performance.now();
      count = await state.job.run();
      total += count;
    } while (count > 0 && !signal.aborted);
    // Rows that are due and not done belong to another process, or fail: no hurry.
    state.notBefore = performance.now() + state.idleMs;
    state.idleMs = Math.min(2 * state.idleMs, longestIdleMs);
    return total;
  } finally {
    state.isRunning = false;
  }
};
