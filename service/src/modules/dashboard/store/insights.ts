import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Read = Tenant & {
  readonly fromDay: string;
  readonly toDay: string;
  /** At most so many attempts, the newest. */
  readonly read: number;
};

const created = sql('merchantId', 'environment', 'fromDay', 'toDay')`
   i.merchant_id = :merchantId and i.environment = :environment
     and i.created_at >= london_midnight(:fromDay::date)
     and i.created_at < london_midnight(:toDay::date + 1)`;

const newest = sql('read')`
   select i.payment_request_id, i.position, i.status, i.method, i.total_pence, i.created_at
   from transaction_item i where ${created}
   order by i.created_at desc, i.payment_request_id, i.position limit :read::int`;

const attempt = sql('merchantId', 'environment')`
   join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.payment_request_id = n.payment_request_id and a.position = n.position`;

export type FunnelRow = {
  readonly institution_id: string;
  readonly method: 'PAY_BY_BANK' | 'CARD';
  readonly started: number;
  readonly handed_over: number;
  readonly approved: number;
  readonly paid: number;
  readonly failed: number;
};

export const readFunnel = statement<Read, FunnelRow>(
  'dashboard_funnel',
  sql()`
   with newest as materialized (${newest})
   select a.institution_id, a.method, count(*)::int as started,
     count(*) filter (where a.rail_reference is not null)::int as handed_over,
     count(*) filter (where a.submitted_at is not null
       or a.status in ('PENDING', 'AUTHORIZED', 'COMPLETED'))::int as approved,
     count(*) filter (where a.status = 'COMPLETED')::int as paid,
     count(*) filter (where a.status = 'FAILED')::int as failed
   from newest n ${attempt}
   group by a.institution_id, a.method order by started desc, a.institution_id`,
);

/** Payment requests whose page was opened, the newest so many. */
export const countOpened = statement<Read, { readonly opened: number }>(
  'dashboard_opened',
  sql('merchantId', 'environment', 'fromDay', 'toDay', 'read')`
   select count(*)::int as opened from (
     select from page_opening o
     where o.merchant_id = :merchantId and o.environment = :environment
       and o.opened_at >= london_midnight(:fromDay::date)
       and o.opened_at < london_midnight(:toDay::date + 1)
     limit :read::int) o`,
);

type FailureRow = {
  readonly reason: string;
  readonly description: string | null;
  readonly method: 'PAY_BY_BANK' | 'CARD';
  readonly count: number;
  readonly amount_pence: bigint;
  readonly latest: readonly string[];
  readonly read: bigint;
};

/** Of each status apart, as its index is sorted: few fail among many that are paid. */
export const readFailures = statement<Read, FailureRow>(
  'dashboard_failures',
  sql('read')`
   with newest as materialized (
     select f.* from unnest(array['FAILED', 'CANCELLED']) as ended (status) cross join lateral (
       select i.payment_request_id, i.position, i.total_pence, i.created_at
       from transaction_item i where ${created} and i.status = ended.status
       order by i.created_at desc, i.payment_request_id, i.position limit :read::int) f
     order by f.created_at desc limit :read::int)
   select coalesce(a.error_code, a.ended_reason, a.status) as reason,
     max(a.error_description) as description, a.method, count(*)::int as count,
     sum(n.total_pence)::bigint as amount_pence,
     (array_agg(distinct a.payment_request_id))[1:5] as latest,
     (select count(*) from newest) as read
   from newest n ${attempt}
   group by 1, a.method order by count desc, 1`,
);
