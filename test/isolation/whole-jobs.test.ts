import { afterAll, beforeAll, expect, test } from 'vitest';
import { failedJobs } from '../../service/src/platform/database/failed-jobs.ts';
import { type Job, runJobs } from '../../service/src/platform/jobs.ts';
import { tableJobs } from '../../service/src/programs/wiring/maintain-tables.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { type Isolation, openIsolation } from './isolation-steps.ts';

/** What fails for all merchants at once is shown to the operator until it works. */
let planted: Isolation;
beforeAll(async () => {
  planted = await openIsolation();
});
afterAll(() => planted.close());

const work = (jobs: readonly Job[], look: () => Promise<Record<string, number>>) =>
  runJobs(planted.service.tools, jobs, look, failedJobs(planted.service.database));

const shown = () => planted.stuck('RUN_JOB');

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
  const about = { merchantId: null, environment: null, canHurry: false };
  expect(failing).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...{ ...about, workId: 'claims' },
        lastFailure: 'a row of … cannot be read\ufffd',
      }),
      expect.objectContaining({ ...about, workId: 'lookForWork', lastFailure: 'the look fails' }),
    ]),
  );
  isBroken = false;
  await waitUntil(async () => (await shown()).length === 0);
  await running.stop();
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
    const running = work(tableJobs(planted.service.tools), async () => ({}));
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
