import { hurriedAt } from '#platform/database/failed-jobs.ts';
import type { Database } from '#platform/database/open-database.ts';
import { type Fragment, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type DueWork, hurriedJobs } from '#platform/jobs.ts';
import { modules } from './modules.ts';

/** One look for all kinds of work, by the database's clock: this program's own may be wrong. */
export const lookForWork = async (database: Database): Promise<DueWork> =>
  (await database.system(look, {}))[0] ?? {};

const dueAt: Readonly<Record<string, Fragment<never>>> = Object.assign(
  {},
  ...modules.map((each) => each.dueAt),
  { [hurriedJobs]: hurriedAt },
);

const columns = Object.entries(dueAt)
  .map(
    ([job, at]) =>
      `(extract(epoch from ${at.sql} - statement_timestamp()) * 1000)::float8 as "${job}"`,
  )
  .join(',\n   ');

const look = statement<object, DueWork>('work_next_due', sql()`select ${columns}`);
