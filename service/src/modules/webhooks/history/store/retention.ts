import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

/** Attempts by day, bodies by month: always a few partitions ahead, and the oldest dropped whole. */
export const maintainPartitions = statement<
  { readonly attemptRetentionDays: number; readonly eventRetentionDays: number },
  { readonly dropped: number }
>(
  'webhook_partitions',
  sql('attemptRetentionDays', 'eventRetentionDays')`
   select drop_partitions_before('webhook_attempt', current_date - :attemptRetentionDays::int)
     + drop_partitions_before('event_body', current_date - :eventRetentionDays::int) as dropped
   from (select ensure_day_partitions('webhook_attempt', 3),
     ensure_month_partitions('event_body', 2)) as made`,
  { guardedBy: 'partitions that exist are skipped; those that are gone are not dropped again' },
);

/** Events past their time with their deliveries, a batch at a time. */
export const pruneEvents = statement<
  { readonly eventRetentionDays: number; readonly limit: number },
  { readonly pruned: bigint }
>(
  'webhook_prune',
  sql('eventRetentionDays', 'limit')`
   with old as (
     select merchant_id, environment, event_id from event
     where written_at < now() - :eventRetentionDays::int * interval '1 day' limit :limit
   ), deliveries as (
     delete from delivery d using old
     where d.merchant_id = old.merchant_id and d.environment = old.environment
       and d.event_id = old.event_id
   ), events as (
     delete from event e using old
     where e.merchant_id = old.merchant_id and e.environment = old.environment
       and e.event_id = old.event_id returning 1
   )
   select count(*) as pruned from events`,
  { guardedBy: 'deletes by age; a repeat finds nothing' },
);
