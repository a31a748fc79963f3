import type { Database } from './open-database.ts';
import { sql } from './sql.ts';
import { statement } from './statement.ts';

export type Work =
  | 'EXPIRE'
  | 'ABANDON'
  | 'ALERT'
  | 'POLL'
  | 'CAPTURE'
  | 'END_LINK'
  | 'ERASE'
  | 'ERASE_PAYMENT'
  | 'SNAPSHOT'
  | 'MONEY_DAY';

const firstPauseMs = 2_000;
const maxPauseMs = 60 * 60 * 1000;

type Finished = {
  readonly work: Work;
  readonly merchantIds: readonly string[];
  readonly environments: readonly string[];
  readonly subjectIds: readonly string[];
  readonly areDone: readonly boolean[];
  readonly errors: readonly (string | null)[];
};

const finish = statement<Finished, never>(
  'work_lease_finish',
  sql('work', 'merchantIds', 'environments', 'subjectIds', 'areDone', 'errors')`
   with finished as materialized (
     select * from unnest(:merchantIds::uuid[], :environments::text[], :subjectIds::uuid[],
       :areDone::boolean[], :errors::text[])
       as f (merchant_id, environment, subject_id, is_done, error)),
   done as (
     delete from work_lease l using finished f
     where f.is_done and l.merchant_id = f.merchant_id and l.environment = f.environment
       and l.subject_id = f.subject_id and l.work = :work)
   insert into work_lease as l (merchant_id, environment, subject_id, work, leased_until, failures,
     last_error)
   select merchant_id, environment, subject_id, :work,
     clock_timestamp() + ${firstPauseMs} * interval '1 millisecond', 1, error
   from finished where not is_done
   on conflict (merchant_id, environment, subject_id, work) do update set
     failures = l.failures + 1, last_error = excluded.last_error,
     leased_until = clock_timestamp() + interval '1 millisecond'
       * least(${maxPauseMs}, ${firstPauseMs} * 2.0 ^ least(l.failures, 20))`,
  { guardedBy: 'a repeat of failed work only makes the pause longer' },
);

const prune = statement<object, never>(
  'work_lease_prune',
  sql()`delete from work_lease where leased_until < statement_timestamp() - interval '1 day'`,
  { guardedBy: 'deletes by age; a repeat finds nothing' },
);

export type WorkedOn = {
  readonly merchant_id: string;
  readonly environment: string;
  readonly subjectId: string;
  /** Why it failed; null: it is done. */
  readonly error: string | null;
};

/** Ends the leases of what is done, and puts off what failed: longer each time. */
export const finishWork = async (
  database: Database,
  work: Work,
  items: readonly WorkedOn[],
): Promise<void> => {
  if (items.length === 0) return;
  await database.system(finish, {
    work,
    merchantIds: items.map(({ merchant_id }) => merchant_id),
    environments: items.map(({ environment }) => environment),
    subjectIds: items.map(({ subjectId }) => subjectId),
    areDone: items.map(({ error }) => error === null),
    errors: items.map(({ error }) => error),
  });
};

/** What was done by another way, such as a payment that came just before its expiry. */
export const pruneWorkLeases = async (database: Database): Promise<number> => {
  await database.system(prune, {});
  return 0;
};

/**
 * Ends the pause after a failure: the next try is due now. The lease of a call that runs stands elsewhere,
 * and what the try may do is decided as ever.
 */
export const hurryPausedWork = statement<
  {
    readonly merchantId: string;
    readonly environment: string;
    readonly workId: string;
    readonly work: Work;
  },
  { readonly subject_id: string }
>(
  'work_lease_hurry',
  sql('merchantId', 'environment', 'workId', 'work')`
   update work_lease set leased_until = least(leased_until, statement_timestamp())
   where merchant_id = :merchantId and environment = :environment and subject_id = :workId::uuid
     and work = :work and failures > 0
   returning subject_id`,
  { guardedBy: 'a pause that is only made shorter; the version decides what is written' },
);

/** Whose work has failed a moment ago is left alone, so that it delays no other. */
export const isNotPutOff = (alias: string, subject: string, work: Work): string =>
  `not exists (select from work_lease l where l.merchant_id = ${alias}.merchant_id
    and l.environment = ${alias}.environment and l.subject_id = ${alias}.${subject}
    and l.work = '${work}' and l.leased_until > statement_timestamp())`;
