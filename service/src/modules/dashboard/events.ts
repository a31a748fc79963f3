import type { ReplyOf } from '@florin/contract';
import { listEvents } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { type Continued, continuedPage } from '#platform/database/pages.ts';
import { type RowOf, shown } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { findResources, readOrdersOf } from './orders-of-resources.ts';

type Event = ReplyOf<typeof listEvents>['data'][number];
type EventRow = RowOf<
  Omit<Event, 'data' | 'deliveries' | 'orderId' | 'paymentRequestId'>,
  'occurredAt'
> &
  RowOf<Event['deliveries']> & { readonly body: string | null };

type EventFilter = Tenant & {
  readonly eventType: string | null;
  readonly beforeIn: string;
  readonly beforeId: string;
  /** How many are looked at for one page. */
  readonly read: number;
  readonly limit: number;
};

const withDeliveries = (more = '') => sql('merchantId', 'environment')`
   select e.written_in || '.' || e.event_id as goes_on, e.event_id, e.event_type, e.resource_id,
     e.sequence, e.is_test, e.occurred_at, b.body, d.total, d.delivered, d.pending, d.failed${more}
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
const listNewestEvents = statement<EventFilter, EventRow & Continued>(
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

/** Of a few payments and refunds, each of which has few. */
const listResourceEvents = statement<
  Tenant & {
    readonly resourceIds: readonly string[];
    readonly eventType: string | null;
    readonly limit: number;
  },
  EventRow
>(
  'dashboard_event_of_resource',
  sql('merchantId', 'environment', 'resourceIds', 'eventType', 'limit')`
   with found as materialized (
     select e.* from event e where e.merchant_id = :merchantId
       and e.environment = :environment and e.resource_id = any (:resourceIds::uuid[])
       and (:eventType::text is null or e.event_type = :eventType::text)
     order by e.written_in desc, e.event_id desc limit :limit::int)
   ${withDeliveries()}
   order by e.written_in desc, e.event_id desc`,
);

const maxRead = 2_000;
const end = ['9223372036854775807', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;

export const eventRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(listEvents, async ({ query }, { tenant }) => {
    const { eventType, resourceId, search = '', before, limit } = query;
    const { database } = tools;
    const { merchantId } = tenant;
    if (resourceId || search.trim() !== '') {
      const resourceIds = resourceId
        ? [resourceId]
        : await findResources(tools, tenant, search.trim());
      const values = { ...tenant, resourceIds, eventType: eventType ?? null, limit };
      const rows = await database.tenant(merchantId, listResourceEvents, values);
      return { data: await shownEvents(tools, tenant, rows), nextBefore: null };
    }
    const [beforeIn = end[0], beforeId = end[1]] = before?.split('.') ?? end;
    const rows = await database.tenant(merchantId, listNewestEvents, {
      ...tenant,
      eventType: eventType ?? null,
      beforeIn,
      beforeId,
      read: maxRead,
      limit: limit + 1,
    });
    const { data, nextBefore } = continuedPage(rows, limit, (row) => row);
    return { data: await shownEvents(tools, tenant, data), nextBefore };
  }),
];

const shownEvents = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  rows: readonly EventRow[],
): Promise<Event[]> => {
  const ids = rows.map((row) => row.resource_id);
  const orderOf = await readOrdersOf(tools, tenant, ids);
  return rows.map(({ body, total, delivered, pending, failed, ...row }) => ({
    ...shown(row),
    orderId: orderOf.get(row.resource_id)?.order_id ?? null,
    paymentRequestId: orderOf.get(row.resource_id)?.payment_request_id ?? null,
    data: JSON.parse(body ?? '{}'),
    deliveries: { total, delivered, pending, failed },
  }));
};
