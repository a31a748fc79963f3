import type { Tenant } from '#kernel/environment.ts';
import type { DeliveryRow } from '#modules/webhooks/index.ts';
import { type Fragment, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type MemberDeliveryRow = DeliveryRow & { readonly url: string };

type Filter = Tenant & {
  readonly endpointId: string | null;
  readonly states: readonly string[] | null;
  readonly eventType: string | null;
  readonly before: string | null;
  /** How many are looked at for one page. */
  readonly read: number;
  readonly limit: number;
};

type ListedDeliveryRow = MemberDeliveryRow & {
  /** False: looked at last, so that the next page continues behind it. */
  readonly matches: boolean;
  readonly is_whole: boolean;
};

const maxEndpoints = 50;

const ofEndpoint = sql('merchantId', 'environment', 'before')`
   delivery d where d.merchant_id = :merchantId and d.environment = :environment
     and d.endpoint_id = e.endpoint_id
     and (:before::bigint is null or d.delivery_id < :before::bigint)`;

/** `of` selects from the deliveries of one endpoint `e`, the newest first. */
const listNewest = <const Name extends string>(name: string, of: Fragment<Name>) =>
  statement<Filter, ListedDeliveryRow>(
    name,
    sql('merchantId', 'environment', 'endpointId', 'states', 'eventType', 'read', 'limit')`
   with endpoint as materialized (
     select w.endpoint_id, w.url from webhook_endpoint w
     where w.merchant_id = :merchantId and w.environment = :environment
       and (:endpointId::uuid is null or w.endpoint_id = :endpointId::uuid)
     order by w.created_at desc limit ${maxEndpoints}),
   newest as materialized (
     select n.*, e.url from endpoint e cross join lateral (${of as Fragment<keyof Filter>}) n
     order by n.delivery_id desc limit :read::int),
   seen as (
     select n.*, e.event_type, e.resource_id,
       (:states::text[] is null or n.state = any (:states::text[]))
         and (:eventType::text is null or e.event_type = :eventType::text) as matches
     from newest n
     join event e on e.merchant_id = :merchantId and e.environment = :environment
       and e.event_id = n.event_id and e.written_at = n.event_written_at)
   select s.delivery_id, s.endpoint_id, s.event_id, s.event_type, s.resource_id, s.kind, s.state,
     s.attempts, s.due_business_at, s.last_status, s.last_error, s.created_at, s.completed_at, s.url,
     s.matches, (select count(*) from newest) < :read::int as is_whole
   from seen s
   where s.matches or s.delivery_id = (select min(delivery_id) from newest)
   order by s.delivery_id desc limit :limit::int`,
  );

export const listAllDeliveries = listNewest(
  'dashboard_delivery_list',
  sql('read')`select d.* from ${ofEndpoint} order by d.delivery_id desc limit :read::int`,
);

/** Given up, or still tried after a failure: few among many that arrived. */
export const listFailingDeliveries = listNewest(
  'dashboard_delivery_failing',
  sql('read', 'limit')`
   (select d.* from ${ofEndpoint} and d.state = 'EXHAUSTED'
    order by d.delivery_id desc limit :limit::int)
   union all
   (select p.* from (
      select d.* from ${ofEndpoint} order by d.delivery_id desc limit :read::int) p
    where p.state = 'PENDING' and p.last_error is not null)`,
);

export const listResourceDeliveries = statement<
  Tenant & { readonly resourceId: string; readonly limit: number },
  MemberDeliveryRow
>(
  'dashboard_delivery_of_resource',
  sql('merchantId', 'environment', 'resourceId', 'limit')`
   select d.delivery_id, d.endpoint_id, d.event_id, e.event_type, e.resource_id, d.kind, d.state,
     d.attempts, d.due_business_at, d.last_status, d.last_error, d.created_at, d.completed_at, w.url
   from event e
   join delivery d on d.merchant_id = :merchantId and d.environment = :environment
     and d.event_id = e.event_id and d.event_written_at = e.written_at
   join webhook_endpoint w on w.merchant_id = :merchantId and w.environment = :environment
     and w.endpoint_id = d.endpoint_id
   where e.merchant_id = :merchantId and e.environment = :environment
     and e.resource_id = :resourceId::uuid
   order by d.delivery_id desc limit :limit::int`,
);

export type EndpointHealthRow = {
  readonly endpoint_id: string;
  readonly url: string;
  readonly description: string | null;
  readonly api_version: number;
  readonly events: readonly string[];
  readonly is_paused: boolean;
  readonly missed_since: Date | null;
  readonly failing_since: Date | null;
  readonly last_delivered_at: Date | null;
  readonly last_error: string | null;
  readonly pending: number;
  readonly hours: readonly HourRow[];
};

export type HourRow = {
  readonly hour: string;
  readonly attempts: number;
  readonly delivered: number;
  readonly took_ms: number;
  readonly slowest_ms: number;
};

export const listEndpointHealth = statement<Tenant & { readonly hours: number }, EndpointHealthRow>(
  'dashboard_endpoint_health',
  sql('merchantId', 'environment', 'hours')`
   with tenant as materialized (select business_now(:merchantId, :environment) as now)
   select w.endpoint_id, w.url, w.description, w.api_version,
     array(select s.event_type from subscription s where s.merchant_id = :merchantId
       and s.environment = :environment and s.endpoint_id = w.endpoint_id
       order by s.event_type) as events,
     w.is_paused, w.missed_since, h.failing_since, h.last_delivered_at, h.last_error,
     (select count(*)::int from (select from delivery d where d.merchant_id = :merchantId
       and d.environment = :environment and d.endpoint_id = w.endpoint_id
       and d.state = 'PENDING' limit 1000) p) as pending,
     coalesce((select jsonb_agg(to_jsonb(x) order by x.hour) from (
       select o.hour, o.attempts, o.delivered, o.took_ms, o.slowest_ms from webhook_hour o
       where o.merchant_id = :merchantId and o.environment = :environment
         and o.endpoint_id = w.endpoint_id
         and o.hour > (select now from tenant) - :hours::int * interval '1 hour') x), '[]') as hours
   from webhook_endpoint w
   left join webhook_endpoint_health h on h.merchant_id = :merchantId
     and h.environment = :environment and h.endpoint_id = w.endpoint_id
   where w.merchant_id = :merchantId and w.environment = :environment and w.deleted_at is null
   order by w.created_at desc, w.endpoint_id limit 50`,
);

export const readEndpointUrl = statement<
  Tenant & { readonly endpointId: string },
  { readonly url: string }
>(
  'dashboard_endpoint_url',
  sql('merchantId', 'environment', 'endpointId')`
   select url from webhook_endpoint where merchant_id = :merchantId
     and environment = :environment and endpoint_id = :endpointId::uuid`,
);

export const pruneWebhookHours = statement<
  { readonly retentionDays: number; readonly limit: number },
  { readonly endpoint_id: string }
>(
  'webhook_hour_prune',
  sql('retentionDays', 'limit')`
   delete from webhook_hour where (merchant_id, environment, endpoint_id, hour) in (
     select merchant_id, environment, endpoint_id, hour from webhook_hour
     where written_at < statement_timestamp() - :retentionDays::int * interval '1 day'
     order by written_at limit :limit::int)
   returning endpoint_id`,
  { guardedBy: 'age: what is deleted is written no more, a repeat deletes nothing' },
);

export type MemberEventRow = {
  readonly written_in: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly resource_id: string;
  readonly sequence: number;
  readonly is_test: boolean;
  readonly occurred_at: Date;
  readonly body: string | null;
  readonly total: number;
  readonly delivered: number;
  readonly pending: number;
  readonly failed: number;
};

type EventFilter = Tenant & {
  readonly eventType: string | null;
  readonly beforeIn: string;
  readonly beforeId: string;
  /** How many are looked at for one page. */
  readonly read: number;
  readonly limit: number;
};

const withDeliveries = (more = '') => sql('merchantId', 'environment')`
   select e.written_in::text, e.event_id, e.event_type, e.resource_id, e.sequence, e.is_test,
     e.occurred_at, b.body, d.total, d.delivered, d.pending, d.failed${more}
   from found e
   left join event_body b on b.merchant_id = :merchantId and b.environment = :environment
     and b.event_id = e.event_id and b.written_at = e.written_at
   cross join lateral (
     select count(*)::int as total, count(*) filter (where d.state = 'DELIVERED')::int as delivered,
       count(*) filter (where d.state = 'PENDING')::int as pending,
       count(*) filter (where d.state in ('EXHAUSTED', 'CANCELLED'))::int as failed
     from delivery d where d.merchant_id = :merchantId and d.environment = :environment
       and d.event_id = e.event_id and d.event_written_at = e.written_at) d`;

/** The one looked at last is answered too, so that the next page continues behind it. */
export const listNewestEvents = statement<
  EventFilter,
  MemberEventRow & { readonly matches: boolean; readonly is_whole: boolean }
>(
  'dashboard_event_list',
  sql('merchantId', 'environment', 'eventType', 'beforeIn', 'beforeId', 'read', 'limit')`
   with newest as materialized (
     select e.*, row_number() over (order by e.written_in desc, e.event_id desc) as position,
       (:eventType::text is null or e.event_type = :eventType::text) as matches
     from (select * from event e
       where e.merchant_id = :merchantId and e.environment = :environment
         and e.written_in <= :beforeIn::text::xid8
         and (e.written_in, e.event_id) < (:beforeIn::text::xid8, :beforeId::uuid)
       order by e.written_in desc, e.event_id desc limit :read::int) e),
   found as materialized (
     select n.*, (select count(*) from newest) < :read::int as is_whole from newest n
     where n.matches or n.position = (select max(position) from newest)
     order by n.position limit :limit::int)
   ${withDeliveries(', e.matches, e.is_whole')}
   order by e.written_in desc, e.event_id desc`,
);

/** Of one payment or refund, which has few. */
export const listResourceEvents = statement<
  Tenant & { readonly resourceId: string; readonly limit: number },
  MemberEventRow
>(
  'dashboard_event_of_resource',
  sql('merchantId', 'environment', 'resourceId', 'limit')`
   with found as materialized (
     select e.* from event e where e.merchant_id = :merchantId
       and e.environment = :environment and e.resource_id = :resourceId::uuid
     order by e.sequence desc limit :limit::int)
   ${withDeliveries()}
   order by e.written_in desc, e.event_id desc`,
);
