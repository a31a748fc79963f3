import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { deliveryKey, isSameDelivery } from './delivery-key.ts';

/** Due deliveries of deleted or paused endpoints, a chunk each; those in flight finish. */
export const cancelWaiting = statement<
  {
    readonly merchantIds: readonly string[];
    readonly environments: readonly string[];
    readonly endpointIds: readonly string[];
    readonly limit: number;
  },
  never
>(
  'delivery_cancel_waiting',
  sql('merchantIds', 'environments', 'endpointIds', 'limit')`
   with waiting as materialized (
     select d.*
     from unnest(:merchantIds::uuid[], :environments::text[], :endpointIds::uuid[])
       as t (merchant_id, environment, endpoint_id)
     join webhook_endpoint w on w.merchant_id = t.merchant_id and w.environment = t.environment
       and w.endpoint_id = t.endpoint_id and (w.deleted_at is not null or w.is_paused)
     cross join lateral (
       select ${deliveryKey('d')} from delivery d
       where d.state = 'PENDING' and d.endpoint_id = t.endpoint_id and d.due_at <= now()
         and d.merchant_id = t.merchant_id and d.environment = t.environment
         and (d.leased_until is null or d.leased_until < now())
       order by d.due_at limit :limit for update skip locked) d
   )
   update delivery d set state = 'CANCELLED', last_error = 'CANCELLED',
     completed_at = date_trunc('milliseconds', now() + (d.due_business_at - d.due_at))
   from waiting where ${isSameDelivery('d', 'waiting')} and d.completed_at is null
     and (d.leased_until is null or d.leased_until < now())`,
  { guardedBy: 'skip locked, no lease and not completed; what is being sent ends by itself' },
);
