import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { type DueWork, hurriedJobs, type Job, type JobRecord, runJobs } from './jobs.ts';
import { openLog } from './log.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const tools = { clock: systemClock, log: openLog('silent', 'test') };

/** Runs these jobs for so long and answers at which millisecond each job ran, and how often was looked. */
const runFor = async (
  ms: number,
  jobs: readonly Job[],
  dueWork: (nowMs: number) => DueWork,
): Promise<{
  readonly ran: Readonly<Record<string, readonly number[]>>;
  readonly looks: number;
}> => {
  const startedAt = performance.now();
  const now = () => Math.round(performance.now() - startedAt);
  const ran: Record<string, number[]> = Object.fromEntries(jobs.map(({ name }) => [name, []]));
  let looks = 0;
  const running = runJobs(
    tools,
    jobs.map((job) => ({
      ...job,
      run: () => {
        ran[job.name]?.push(Math.round(now() / 10) * 10);
        return job.run();
      },
    })),
    async () => {
      looks += 1;
      return dueWork(now());
    },
    record,
  );
  await vi.advanceTimersByTimeAsync(ms);
  const stopped = running.stop();
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  return { ran, looks };
};

const nothing = async () => 0;

let noted: string[];
let wanted: string[];
beforeEach(() => {
  noted = [];
  wanted = [];
});
const record: JobRecord = {
  failed: async (job, error) => noted.push(`${job}: ${(error as Error).message}`),
  worked: async (job) => noted.push(`${job} works`),
  takeHurried: async () => wanted.splice(0),
};

test('an idle worker looks twice a second and later once, however many jobs it has', async () => {
  const names = Array.from({ length: 30 }, (_, position) => `job${position}`);
  const jobs = names.map((name) => ({ name, run: nothing }));
  const none = Object.fromEntries(names.map((name) => [name, null]));
  const { ran, looks } = await runFor(30_000, jobs, () => none);
  expect(looks).toBeLessThanOrEqual(42);
  // A start is not slower for rounds that find nothing.
  expect(Object.values(ran)).toEqual(names.map(() => []));
});

test('a worker that had something to do looks twice a second again', async () => {
  const lookedAt: number[] = [];
  let left = 1;
  const poll = { name: 'poll', run: async () => (left > 0 ? left-- : 0) };
  await runFor(25_000, [{ ...poll, everyMs: 20_000 }], (nowMs) => {
    lookedAt.push(nowMs);
    if (nowMs < 19_000) left = 1;
    return {};
  });
  const between = (from: number, to: number) =>
    lookedAt.filter((at) => at >= from && at < to).length;
  expect(between(12_000, 18_000)).toBeLessThanOrEqual(6);
  expect(between(20_500, 24_500)).toBeGreaterThanOrEqual(7);
});

test('a job runs when its work falls due, not at the next look', async () => {
  const { ran } = await runFor(
    2_000,
    [
      { name: 'expire', run: nothing },
      { name: 'poll', run: nothing },
    ],
    (now) => ({ expire: now < 1_150 ? 1_130 - now : null, poll: null }),
  );
  expect(ran.expire).toEqual([1_130]);
  expect(ran.poll).toEqual([]);
});

test('a job with both runs when its work falls due, and so often without being asked for', async () => {
  const { ran } = await runFor(11_000, [{ name: 'read', everyMs: 5_000, run: nothing }], (now) => ({
    read: now > 1_200 && now < 1_600 ? 0 : null,
  }));
  expect(ran.read).toEqual([1_500, 6_500]);
});

test('work that is due and not done is tried less and less often', async () => {
  const { ran } = await runFor(10_000, [{ name: 'poll', run: nothing }], () => ({ poll: -5 }));
  const pauses = (ran.poll ?? []).slice(1).map((at, index) => at - (ran.poll?.[index] ?? 0));
  expect(pauses.slice(0, 5)).toEqual([50, 100, 200, 400, 500]);
  expect(pauses.slice(5).every((pause) => pause === 500)).toBe(true);
});

test('a job goes on while it has work', async () => {
  let left = 3;
  const work = async () => (left > 0 ? left-- : 0);
  const { ran } = await runFor(100, [{ name: 'poll', run: work }], (now) => ({
    poll: now === 0 ? 0 : null,
  }));
  expect(ran.poll).toEqual([0, 0, 0, 0]);
});

test('a job that fails or hangs delays no other', async () => {
  const fails = () => Promise.reject(new Error('the bank is away'));
  const hangs = () => new Promise<number>((resolve) => setTimeout(() => resolve(0), 3_000));
  const { ran } = await runFor(
    3_500,
    [
      { name: 'fails', run: fails },
      { name: 'hangs', run: hangs },
      { name: 'works', everyMs: 1_000, run: nothing },
    ],
    (now) => ({ fails: 0, hangs: now === 0 ? 0 : null }),
  );
  expect(ran.works).toEqual([1_000, 2_000, 3_000]);
  expect(ran.fails).toEqual([0, 1_000, 2_000, 3_000]);
  expect(ran.hangs).toEqual([0]);
  expect(noted.filter((each) => each === 'fails: the bank is away')).toHaveLength(4);
  expect(noted.filter((each) => each === 'works works')).toHaveLength(1);
});

test('a job that an operator wants while it runs runs once more after that', async () => {
  const takesLong = () => new Promise<number>((resolve) => setTimeout(() => resolve(0), 1_000));
  let isWanted = false;
  const { ran } = await runFor(5_000, [{ name: 'poll', run: takesLong }], (now) => {
    if (now > 100 && !isWanted) wanted.push('poll');
    isWanted = now > 100;
    return { poll: now === 0 ? 0 : null, [hurriedJobs]: wanted.length > 0 ? 0 : null };
  });
  expect(ran.poll).toHaveLength(2);
  expect(wanted).toEqual([]);
});

test('work that a look would miss is found within a minute', async () => {
  const { ran } = await runFor(61_000, [{ name: 'poll', run: nothing }], () => ({ poll: null }));
  expect(ran.poll).toEqual([60_000]);
});

test('after a failed look it is looked again', async () => {
  let isAway = true;
  let left: number | null = 0;
  const work = async () => {
    left = null;
    return 0;
  };
  const { ran } = await runFor(2_100, [{ name: 'poll', run: work }], (now) => {
    isAway = now < 1_500;
    if (isAway) throw new Error('the database is away');
    return { poll: left };
  });
  expect(ran.poll).toEqual([2_000]);
  const looked = 'lookForWork: the database is away';
  expect(noted).toEqual([looked, looked, 'lookForWork works', 'poll works']);
});

test('a job for which nothing says when it is due does not wait in silence', async () => {
  const { ran } = await runFor(1_000, [{ name: 'forgotten', run: nothing }], () => ({}));
  expect(ran.forgotten).toEqual([]);
});

test('what is done once an hour is first done a minute after the start', async () => {
  const hourly = { name: 'prune', everyMs: 3_600_000, run: nothing };
  const { ran } = await runFor(61_000, [hourly], () => ({}));
  expect(ran.prune).toEqual([60_000]);
});
