import { limits } from '@florin/contract';
import { addUpCustomers } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

type SumRow = {
  readonly customer_id: string;
  readonly tries: number;
  readonly payments: number;
  readonly spent_pence: bigint;
  readonly last_paid_at: Date | null;
};

/** Of all of a page at once. An attempt is read only where money of it went back. */
const addUp = statement<Tenant & { readonly customerIds: readonly string[] }, SumRow>(
  'dashboard_customer_sums',
  sql('merchantId', 'environment', 'customerIds')`
   select c.customer_id, s.* from unnest(:customerIds::uuid[]) as c (customer_id)
   cross join lateral (
     select count(*)::int as tries, count(*) filter (where i.is_paid)::int as payments,
       coalesce(sum(i.total_pence - coalesce(a.gone_back, 0)) filter (where i.is_paid), 0)::bigint
         as spent_pence,
       max(i.created_at) filter (where i.is_paid) as last_paid_at
     from (select i.*, wire_status(i.status) = 'COMPLETED' as is_paid from transaction_item i
       where i.merchant_id = :merchantId and i.environment = :environment
         and i.customer_id = c.customer_id
       order by i.created_at desc limit ${limits.customerPaymentsRead}) i
     left join lateral (
       select a.refunded_pence + a.refund_reserved_pence + refunded_at_processor_pence(a.refunds)
         + case when i.status = 'DISPUTE_LOST' then disputed_pence(a.disputes) else 0 end as gone_back
       from attempt a
       where a.merchant_id = :merchantId and a.environment = :environment
         and a.payment_request_id = i.payment_request_id and a.position = i.position
         and i.is_paid and i.status <> 'COMPLETED' limit 1) a on true) s`,
);

/** What customers have paid (DASHBOARD-52). */
export const customerSumRoutes = ({ database }: Uses<'database'>): readonly Route[] => [
  route(addUpCustomers, async ({ query }, { tenant }) => {
    const customerIds = [...new Set(query.customerIds.toLowerCase().split(','))];
    const rows = await database.tenant(tenant.merchantId, addUp, { ...tenant, customerIds });
    return {
      data: rows.map((row) => ({
        ...{ customerId: row.customer_id, payments: row.payments },
        spent: poundsNumber(pence(row.spent_pence)),
        lastPaidAt: row.last_paid_at?.toISOString() ?? null,
        isMinimum: row.tries >= limits.customerPaymentsRead,
      })),
    };
  }),
];
