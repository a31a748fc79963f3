import type { Environment } from '#kernel/environment.ts';
import { earliestDue } from '#platform/database/earliest-due.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

/** Many notices before a reading are one: the messages are read once. */
export const recordNotice = statement<{ readonly environment: Environment }, never>(
  'bank_notice_record',
  sql('environment')`
   insert into bank_notice as n (environment, noticed, noticed_at)
   values (:environment, 1, statement_timestamp())
   on conflict (environment) do update set noticed = n.noticed + 1,
     noticed_at = case when n.noticed > n.followed then n.noticed_at else excluded.noticed_at end`,
  { guardedBy: 'it only counts: a notice that comes twice makes one reading due' },
);

/** When messages were first said to wait that were not read since. */
export const noticeDueAt = (environment: Environment) =>
  earliestDue({
    at: 'noticed_at',
    from: 'bank_notice',
    indexed: `noticed > followed and environment = '${environment}'`,
  });

type Followed = { readonly environment: Environment; readonly noticed: string };

/** Read before the messages, so that a notice which comes while they are read stays due. */
export const listNotices = statement<Pick<Followed, 'environment'>, Pick<Followed, 'noticed'>>(
  'bank_notice_list',
  sql('environment')`
   select noticed::text from bank_notice
   where environment = :environment and noticed > followed`,
);

export const followNotice = statement<Followed, never>(
  'bank_notice_follow',
  sql('environment', 'noticed')`
   update bank_notice set followed = :noticed::bigint
   where environment = :environment and followed < :noticed::bigint`,
  { guardedBy: 'a count that only grows' },
);
