import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type RefundRow = {
  readonly refund_id: string;
  readonly payment_request_id: string;
  readonly payment_idempotency_id: string;
  readonly order_id: string;
  readonly amount_pence: bigint;
  readonly status: string;
  readonly waits_for: string | null;
  readonly error_description: string | null;
  readonly method: 'PAY_BY_BANK' | 'CARD';
  readonly notes: string | null;
  readonly created_at: Date;
  readonly created_micros: bigint;
  readonly updated_at: Date;
};

export const listNewestRefunds = statement<
  Tenant & {
    readonly status: string | null;
    readonly fromDay: string;
    readonly toDay: string;
    readonly beforeMicros: string | null;
    readonly beforeId: string | null;
    readonly limit: number;
  },
  RefundRow
>(
  'dashboard_refund_list',
  sql(
    'merchantId',
    'environment',
    'status',
    'fromDay',
    'toDay',
    'beforeMicros',
    'beforeId',
    'limit',
  )`
   select f.refund_id, f.payment_request_id, f.payment_idempotency_id, f.order_id, f.amount_pence,
     f.status, f.waits_for, f.error_description, f.method, f.notes, f.created_at,
     (extract(epoch from f.created_at) * 1000000)::bigint as created_micros, f.updated_at
   from refund f
   where f.merchant_id = :merchantId and f.environment = :environment
     and f.created_at >= london_midnight(:fromDay::date)
     and f.created_at < london_midnight(:toDay::date + 1)
     and (:status::text is null or f.status = :status::text)
     and f.created_at <= (select coalesce(
       to_timestamp(:beforeMicros::numeric / 1000000), 'infinity'::timestamptz))
     and (:beforeMicros::numeric is null or (f.created_at, f.refund_id)
       < (to_timestamp(:beforeMicros::numeric / 1000000), :beforeId::uuid))
   order by f.created_at desc, f.refund_id desc limit :limit::int`,
);
