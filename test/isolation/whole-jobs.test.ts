import { afterAll, beforeAll, expect, test } from 'vitest';
import { failedJobs } from '../../service/src/platform/database/failed-jobs.ts';
import { type DueWork, type Job, runJobs } from '../../service/src/platform/jobs.ts';
import { lookForWork } from '../../service/src/programs/wiring/look-for-work.ts';
import { tableJobs } from '../../service/src/programs/wiring/maintain-tables.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { type Isolation, openIsolation } from './isolation-steps.ts';

/** What fails for all merchants at once is shown to the operator until it works. */
let planted: Isolation;
beforeAll(async () => {
  planted = await openIsolation();
});
afterAll(() => planted.close());

const work = (jobs: readonly Job[], look: () => Promise<DueWork>) =>
  runJobs(planted.service.tools, jobs, look, failedJobs(planted.service.database));

const shown = () => planted.stuck('RUN_JOB');

/** Says of a rare job that it is due, once: by itself it would first run a minute after the start. */
const dueAtOnce = (job: string) => {
  let isFirst = true;
  return async (): Promise<DueWork> => {
    const due = { ...(await lookForWork(planted.service.database)), [job]: isFirst ? 0 : null };
    isFirst = false;
    return due;
  };
};

test('a job whose claim fails, and a look for work that fails, are shown until they work', async () => {
  let isBroken = true;
  let worked = 0;
  const claims = async (): Promise<number> => {
    if (isBroken) throw new Error('a row of ada@shop.example cannot be read\0');
    return 0;
  };
  const works = async (): Promise<number> => {
    worked += 1;
    return 0;
  };
  const running = work(
    [
      { name: 'claims', everyMs: 50, run: claims },
      { name: 'works', everyMs: 50, run: works },
    ],
    async () => {
      if (isBroken && worked > 0) throw new Error('the look fails');
      return {};
    },
  );
  const failing = await waitUntil(async () => {
    const rows = await shown();
    return rows.length === 2 && rows;
  });
  const about = { merchantId: null, environment: null };
  expect(failing).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...{ ...about, workId: 'claims', canHurry: true },
        lastFailure: 'a row of … cannot be read\ufffd',
      }),
      expect.objectContaining({
        // It is tried every second.
        ...{ ...about, workId: 'lookForWork', canHurry: false },
        lastFailure: 'the look fails',
      }),
    ]),
  );
  isBroken = false;
  await waitUntil(async () => (await shown()).length === 0);
  await running.stop();
});

test('a job that runs once an hour and fails is tried when an operator says so, by one worker', async () => {
  let isBroken = true;
  const runs: string[] = [];
  const worker = (name: string, isFirst: boolean) => {
    const hourly = async (): Promise<number> => {
      runs.push(name);
      if (isBroken && isFirst) throw new Error('its file is missing');
      return 0;
    };
    const jobs = [{ name: 'hourly', everyMs: 3_600_000, run: hourly }];
    return work(jobs, dueAtOnce('hourly'));
  };
  await planted.rows(`insert into failed_job (job, last_error) values ('hourly', 'of before')`);
  const workers = [worker('other', false)];
  await waitUntil(async () => (await shown()).length === 0);
  workers.push(worker('failing', true));
  expect(await waitUntil(async () => (await shown())[0])).toMatchObject({
    ...{ workId: 'hourly', canHurry: true, lastFailure: 'its file is missing' },
  });
  isBroken = false;
  const asked = [1, 2].map(() => planted.hurryShared('RUN_JOB', 'hourly'));
  // One that comes after the run finds nothing that fails.
  const statuses = await Promise.all(asked);
  expect(statuses).toContain(200);
  expect([200, 404]).toEqual(expect.arrayContaining(statuses));
  await waitUntil(async () => (await shown()).length === 0);
  await Promise.all(workers.map((each) => each.stop()));
  expect(runs).toHaveLength(3);
  expect(await planted.hurryShared('RUN_JOB', 'hourly')).toBe(404);
});

const partitionsOf = async (table: string): Promise<number> => {
  const { rows } = await planted.owner.query(
    'select count(*)::int as found from pg_inherits where inhparent = $1::regclass',
    [table],
  );
  return rows[0].found;
};

test('a table that cannot be maintained stops no other, and is named to the operator', async () => {
  for (const table of ['planted_bad', 'planted_good'])
    await planted.owner.query(`
      create table ${table} (written_at timestamptz not null) partition by range (written_at);
      create table ${table}_default partition of ${table} default`);
  await planted.owner.query(`insert into planted_bad values ('infinity')`);
  const maintain = async (until: () => Promise<boolean>): Promise<void> => {
    const running = work(tableJobs(planted.service.tools), dueAtOnce('maintainTables'));
    await waitUntil(until);
    await running.stop();
  };
  await maintain(async () => (await shown()).length > 0);
  expect(await shown()).toMatchObject([
    { workId: 'maintainTables', lastFailure: expect.stringMatching(/^planted_bad: /) },
  ]);
  expect(await partitionsOf('planted_good')).toBe(5);
  await planted.owner.query('delete from planted_bad');
  await maintain(async () => (await shown()).length === 0);
  expect(await partitionsOf('planted_bad')).toBe(5);
});
