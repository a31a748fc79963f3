import { type Fragment, sql } from '#platform/database/sql.ts';

/**
 * Counts a mail of a kind, unless as many as allowed were counted until the window ends: then no row. The
 * upsert locks the count, so that mails at the same time are all counted.
 */
export const allowanceSql = (
  subject: string,
  from: string,
  limit: number,
): Fragment<'kind' | 'windowEndsAt' | 'now'> =>
  sql('kind', 'windowEndsAt', 'now')`
     insert into mail_allowance as known (subject, kind, mail_count, window_ends_at)
     select ${subject}, :kind::text, 1, :windowEndsAt::timestamptz from ${from}
     on conflict (subject, kind) do update set
       mail_count = case when known.window_ends_at <= :now::timestamptz
         then 1 else known.mail_count + 1 end,
       window_ends_at = case when known.window_ends_at <= :now::timestamptz
         then excluded.window_ends_at else known.window_ends_at end
     where known.window_ends_at <= :now::timestamptz or known.mail_count < ${limit}
     returning subject`;
