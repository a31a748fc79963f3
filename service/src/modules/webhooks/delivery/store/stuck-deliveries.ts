import { limits } from '@florin/contract';
import { sql } from '#platform/database/sql.ts';

/**
 * The oldest delivery of each endpoint that is overdue though the endpoint does not fail: found as
 * `delivery_discover` does, by one index probe for each endpoint.
 */
export const stuckDeliveries = [
  sql('limit')`
   (with recursive ready as (
      (select d.merchant_id, d.environment, d.endpoint_id, d.due_at, d.leased_until, d.attempts
       from delivery d where d.state = 'PENDING' order by d.endpoint_id, d.due_at limit 1)
      union all
      select n.* from ready r cross join lateral (
        select d.merchant_id, d.environment, d.endpoint_id, d.due_at, d.leased_until, d.attempts
        from delivery d where d.state = 'PENDING' and d.endpoint_id > r.endpoint_id
        order by d.endpoint_id, d.due_at limit 1) n)
    select 'DELIVER_WEBHOOKS' as kind, r.merchant_id, r.environment, r.endpoint_id::text as work_id,
      null::uuid as payment_request_id, r.due_at as since, null::timestamptz as paused_until,
      r.leased_until, r.attempts::int as attempts, null::text as last_error
    from ready r
    join webhook_endpoint e on e.merchant_id = r.merchant_id and e.environment = r.environment
      and e.endpoint_id = r.endpoint_id and not e.is_paused and e.deleted_at is null
    where r.due_at <= statement_timestamp() - interval '${limits.stuckOverdueMinutes} minutes'
      and not exists (select from webhook_endpoint_health h where h.merchant_id = r.merchant_id
        and h.environment = r.environment and h.endpoint_id = r.endpoint_id
        and h.failing_since is not null)
    limit :limit)`,
];
