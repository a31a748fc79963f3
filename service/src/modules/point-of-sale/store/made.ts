import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type MadeFilter = { readonly storeId: string | null; readonly tillName: string | null };

type Page = Tenant &
  MadeFilter & {
    readonly beforeMicros: string | null;
    readonly beforeId: string | null;
    readonly limit: number;
  };

type Listed = { readonly payment_request_id: string; readonly created_micros: bigint };

/** By the index of what programs have not made; the newest first. */
const listOf = (name: string, channel: 'TILL' | 'DASHBOARD') =>
  statement<Page, Listed>(
    name,
    sql('merchantId', 'environment', 'storeId', 'tillName', 'beforeMicros', 'beforeId', 'limit')`
   select r.payment_request_id, (extract(epoch from r.created_at) * 1000000)::bigint as created_micros
   from payment_request r
   where r.merchant_id = :merchantId and r.environment = :environment and r.channel = '${channel}'
     and (:storeId::uuid is null or r.store_id = :storeId::uuid)
     and (:tillName::text is null or r.till_name = :tillName::text)
     and r.created_at <= (select coalesce(
       to_timestamp(:beforeMicros::numeric / 1000000), 'infinity'::timestamptz))
     and (:beforeMicros::numeric is null or (r.created_at, r.payment_request_id)
       < (to_timestamp(:beforeMicros::numeric / 1000000), :beforeId::uuid))
   order by r.created_at desc, r.payment_request_id desc limit :limit::int`,
  );

export const listSales = listOf('till_sale_list', 'TILL');
export const listLinks = listOf('payment_link_list', 'DASHBOARD');

export const readRefunded = statement<
  Tenant & { readonly paymentRequestIds: readonly string[] },
  { readonly payment_request_id: string; readonly refunded_pence: bigint }
>(
  'till_sale_refunded',
  sql('merchantId', 'environment', 'paymentRequestIds')`
   select f.payment_request_id, sum(f.amount_pence)::bigint as refunded_pence
   from refund f
   where f.merchant_id = :merchantId and f.environment = :environment
     and f.payment_request_id = any (:paymentRequestIds::uuid[])
     and f.status in ('INITIATED', 'PENDING', 'COMPLETED')
   group by f.payment_request_id`,
);
