import type { JobRecord } from '../jobs.ts';
import type { Database } from './open-database.ts';
import { sql } from './sql.ts';
import { statement } from './statement.ts';
import { errorText, stuckRows } from './stuck-rows.ts';

const note = statement<{ readonly job: string; readonly error: string }, never>(
  'failed_job_note',
  sql('job', 'error')`
   insert into failed_job as f (job, last_error) values (:job, :error)
   on conflict (job) do update set failures = f.failures + 1, last_error = excluded.last_error`,
  { guardedBy: 'a count of failures: twice says no more' },
);

const forget = statement<{ readonly job: string }, never>(
  'failed_job_forget',
  sql('job')`delete from failed_job where job = :job`,
  { guardedBy: 'deletes by name; a repeat finds nothing' },
);

/** Its next round is due: that of a job that runs once an hour may be far. */
export const hurryJob = statement<{ readonly workId: string }, { readonly job: string }>(
  'failed_job_hurry',
  sql('workId')`
   update failed_job set hurried_at = coalesce(hurried_at, clock_timestamp())
   where job = :workId returning job`,
  { guardedBy: 'hurried_at: asked for twice it is tried once' },
);

/** When a job was hurried that no worker has taken up. */
export const hurriedAt = sql()`(select min(hurried_at) from failed_job)`;

const takeHurried = statement<object, { readonly job: string }>(
  'failed_job_take_hurried',
  sql()`update failed_job set hurried_at = null where hurried_at is not null returning job`,
  { guardedBy: 'hurried_at: of two workers one takes it up' },
);

/** What a worker notes about its jobs, for operators. */
export const failedJobs = (database: Database): JobRecord => ({
  failed: (job, error) => database.system(note, { job, error: errorText(error) }),
  worked: (job) => database.system(forget, { job }),
  takeHurried: async () => (await database.system(takeHurried, {})).map(({ job }) => job),
});

/** Shown from the first failure. */
export const failedJobRows = stuckRows({
  ...{ kind: 'RUN_JOB', from: '(select *, null::text as environment from failed_job) w' },
  // Of no environment, as production is.
  share: `share.of_environment = 'PRODUCTION'`,
  ...{ where: 'true', dueAt: 'w.failing_since', workId: 'w.job' },
  ...{ attempts: 'w.failures', lastError: 'w.last_error', maxAttempts: 1 },
});
