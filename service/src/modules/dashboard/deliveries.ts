import type { QueryOf } from '@florin/contract';
import { getDelivery, listDeliveries } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { type DeliveryRow, deliveryView, getWebhookDelivery } from '#modules/webhooks/index.ts';
import { type Continued, continuedPage } from '#platform/database/pages.ts';
import { type Fragment, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { explainDelivery } from './explain-delivery.ts';
import { findResources, readOrdersOf } from './orders-of-resources.ts';

type MemberDeliveryRow = DeliveryRow & { readonly url: string };

type Filter = Tenant & {
  readonly endpointId: string | null;
  readonly states: readonly string[] | null;
  readonly eventType: string | null;
  readonly before: string | null;
  /** How many are looked at for one page. */
  readonly read: number;
  readonly limit: number;
};

const maxEndpoints = 50;

const ofEndpoint = sql('merchantId', 'environment', 'before')`
   delivery d where d.merchant_id = :merchantId and d.environment = :environment
     and d.endpoint_id = e.endpoint_id
     and (:before::bigint is null or d.delivery_id < :before::bigint)`;

/** `of` selects from the deliveries of one endpoint `e`, the newest first. */
const listNewest = <const Name extends string>(name: string, of: Fragment<Name>) =>
  statement<Filter, MemberDeliveryRow & Continued>(
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
     s.delivery_id::text as goes_on, s.matches, (select count(*) from newest) < :read::int as is_whole
   from seen s
   where s.matches or s.delivery_id = (select min(delivery_id) from newest)
   order by s.delivery_id desc limit :limit::int`,
  );

const listAllDeliveries = listNewest(
  'dashboard_delivery_list',
  sql('read')`select d.* from ${ofEndpoint} order by d.delivery_id desc limit :read::int`,
);

/** Given up, or still tried after a failure: few among many that arrived. */
const listFailingDeliveries = listNewest(
  'dashboard_delivery_failing',
  sql('read', 'limit')`
   (select d.* from ${ofEndpoint} and d.state = 'EXHAUSTED'
    order by d.delivery_id desc limit :limit::int)
   union all
   (select p.* from (
      select d.* from ${ofEndpoint} order by d.delivery_id desc limit :read::int) p
    where p.state = 'PENDING' and p.last_error is not null)`,
);

const listResourceDeliveries = statement<
  Tenant & {
    readonly resourceIds: readonly string[];
    readonly states: readonly string[] | null;
    readonly eventType: string | null;
    readonly limit: number;
  },
  MemberDeliveryRow
>(
  'dashboard_delivery_of_resource',
  sql('merchantId', 'environment', 'resourceIds', 'states', 'eventType', 'limit')`
   select d.delivery_id, d.endpoint_id, d.event_id, e.event_type, e.resource_id, d.kind, d.state,
     d.attempts, d.due_business_at, d.last_status, d.last_error, d.created_at, d.completed_at, w.url
   from event e
   join delivery d on d.merchant_id = :merchantId and d.environment = :environment
     and d.event_id = e.event_id and d.event_written_at = e.written_at
   join webhook_endpoint w on w.merchant_id = :merchantId and w.environment = :environment
     and w.endpoint_id = d.endpoint_id
   where e.merchant_id = :merchantId and e.environment = :environment
     and e.resource_id = any (:resourceIds::uuid[])
     and (:states::text[] is null or d.state = any (:states::text[]))
     and (:eventType::text is null or e.event_type = :eventType::text)
   order by d.delivery_id desc limit :limit::int`,
);

const readEndpointUrl = statement<
  Tenant & { readonly endpointId: string },
  { readonly url: string }
>(
  'dashboard_endpoint_url',
  sql('merchantId', 'environment', 'endpointId')`
   select url from webhook_endpoint where merchant_id = :merchantId
     and environment = :environment and endpoint_id = :endpointId::uuid`,
);

type Query = QueryOf<typeof listDeliveries>;

const maxRead = 2_000;
const failing: readonly (string | undefined)[] = ['FAILING', 'EXHAUSTED'];
const unfinished = ['PENDING', 'EXHAUSTED'];

/** DASHBOARD-45: of all endpoints, with why each failed. */
export const deliveryRoutes = (tools: Uses<'database'>): readonly Route[] => [
  route(getDelivery, async ({ params: { endpointId, deliveryId } }, { tenant }) => {
    const delivery = await getWebhookDelivery(tools, tenant, endpointId, deliveryId);
    const values = { ...tenant, endpointId };
    const [endpoint] = await tools.database.tenant(tenant.merchantId, readEndpointUrl, values);
    return {
      ...delivery,
      url: endpoint?.url ?? '',
      why: explainDelivery({ outcome: delivery.lastError, status: delivery.lastStatus }),
      log: delivery.log.map((attempt) => ({ ...attempt, why: explainDelivery(attempt) })),
    };
  }),
  route(listDeliveries, async ({ query }, { tenant }) => {
    const { endpointId = null, state, eventType = null, resourceId, before = null, limit } = query;
    const { database } = tools;
    const { merchantId } = tenant;
    if (resourceId || query.search?.trim()) {
      const found = await listOfResources(tools, tenant, query);
      return { data: await shownDeliveries(tools, tenant, found), nextBefore: null };
    }
    const list = failing.includes(state) ? listFailingDeliveries : listAllDeliveries;
    const rows = await database.tenant(merchantId, list, {
      ...tenant,
      endpointId,
      states: state === undefined || state === 'FAILING' ? null : [state],
      eventType,
      before,
      read: maxRead,
      limit: limit + 1,
    });
    const { data, nextBefore } = continuedPage(rows, limit, (row) => row);
    return { data: await shownDeliveries(tools, tenant, data), nextBefore };
  }),
];

const listOfResources = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { resourceId, search = '', endpointId, state, eventType, limit }: Query,
): Promise<readonly MemberDeliveryRow[]> => {
  const isFailing = failing.includes(state);
  const ofState = state ? [state] : null;
  const rows = await tools.database.tenant(tenant.merchantId, listResourceDeliveries, {
    ...{ ...tenant, eventType: eventType ?? null, limit },
    resourceIds: resourceId ? [resourceId] : await findResources(tools, tenant, search.trim()),
    states: isFailing ? unfinished : ofState,
  });
  return rows.filter(
    (row) => (endpointId ?? row.endpoint_id) === row.endpoint_id && !(isFailing && !row.last_error),
  );
};

const shownDeliveries = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  rows: readonly MemberDeliveryRow[],
) => {
  const ids = rows.map((row) => row.resource_id);
  const orderOf = await readOrdersOf({ database }, tenant, ids);
  return rows.map((row) => ({
    ...deliveryView(row),
    orderId: orderOf.get(row.resource_id)?.order_id ?? null,
    url: row.url,
    why: explainDelivery({ outcome: row.last_error, status: row.last_status }),
  }));
};
