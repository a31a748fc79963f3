import type { Tenant } from '#kernel/environment.ts';
import { findTransactions } from '#modules/search/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';

/** The payments of an order, or what has this id, with the refunds of each. */
export const findResources = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  search: string,
): Promise<readonly string[]> => {
  const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(search);
  const found = isId ? null : await findTransactions(tools, tenant, { ...anyOf, text: search });
  const payments = found?.transactions.map((row) => row.payment_request_id) ?? [search];
  const values = { ...tenant, resourceIds: payments, limit: foundMax };
  const refunds = await tools.database.tenant(tenant.merchantId, readRefundIds, values);
  return [...payments, ...refunds.map((row) => row.refund_id)];
};

const foundMax = 25;

const anyOf = {
  sort: 'NEWEST' as const,
  ...{ fromDay: '-infinity', toDay: 'infinity', statuses: null, methods: null, storeIds: null },
  ...{ customerIds: null, minPence: null, maxPence: null, institutionIds: null },
  ...{ size: foundMax, skipped: 0 },
};

/** What a page of deliveries or events is about: by the id of each payment and refund. */
export const readOrdersOf = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  resourceIds: readonly string[],
): Promise<ReadonlyMap<string, Order>> => {
  const orders = await database.tenant(tenant.merchantId, readOrders, { ...tenant, resourceIds });
  return new Map(orders.map((row) => [row.resource_id, row]));
};

type Order = {
  readonly resource_id: string;
  readonly payment_request_id: string;
  readonly order_id: string;
};

const readOrders = statement<Tenant & { readonly resourceIds: readonly string[] }, Order>(
  'dashboard_order_of_resource',
  sql('merchantId', 'environment', 'resourceIds')`
   select p.payment_request_id as resource_id, p.payment_request_id, p.order_id from payment_request p
   where p.merchant_id = :merchantId and p.environment = :environment
     and p.payment_request_id = any (:resourceIds::uuid[])
   union all
   select f.refund_id, f.payment_request_id, f.order_id from refund f
   where f.merchant_id = :merchantId and f.environment = :environment
     and f.refund_id = any (:resourceIds::uuid[])`,
);

const readRefundIds = statement<
  Tenant & { readonly resourceIds: readonly string[]; readonly limit: number },
  { readonly refund_id: string }
>(
  'dashboard_refund_of_payments',
  sql('merchantId', 'environment', 'resourceIds', 'limit')`
   select f.refund_id from refund f
   where f.merchant_id = :merchantId and f.environment = :environment
     and f.payment_request_id = any (:resourceIds::uuid[])
   order by f.created_at desc limit :limit::int`,
);
