import type { Tenant } from '#kernel/environment.ts';
import { shownStoreNameSql } from '#modules/merchants/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

/** Days in London, both inclusive. */
export type Period = { readonly fromDate: string; readonly toDate: string };

type Page = Tenant & Period & { readonly limit: number };

/** A line of a payout, with its payout. */
export type ExportedLine = {
  readonly payout_id: string;
  readonly reference: string;
  readonly status: string;
  readonly payout_pence: bigint;
  readonly period_ends_business_at: Date;
  readonly payout_created_at: Date;
  readonly entry_id: bigint;
  readonly reason: string;
  readonly amount_pence: bigint;
  /** Null: it is of no one payment. */
  readonly payment_request_id: string | null;
  readonly payment_idempotency_id: string | null;
  readonly order_id: string | null;
  readonly notes: string | null;
  readonly refund_id: string | null;
  readonly refund_reference: string | null;
  readonly created_at: Date;
  readonly occurred_at: Date;
};

/** Of the newest payout first, after the last line read: a page may span many payouts. */
export const listExportedLines = statement<
  Page & {
    readonly afterAt: Date | null;
    readonly afterId: string | null;
    readonly afterEntry: string | null;
  },
  ExportedLine
>(
  'export_payout_lines',
  sql(
    'merchantId',
    'environment',
    'fromDate',
    'toDate',
    'afterAt',
    'afterId',
    'afterEntry',
    'limit',
  )`
   select l.payout_id, l.reference, l.status, l.payout_pence, l.period_ends_business_at,
     l.payout_created_at, l.entry_id, l.reason, l.amount_pence, a.payment_request_id,
     a.payment_idempotency_id, q.order_id, q.notes, l.refund_id,
     l.end_to_end_id as refund_reference, coalesce(l.refunded_at, a.created_at, l.occurred_at) as created_at,
     l.occurred_at
   from (
     select pl.*, f.refund_id, f.end_to_end_id, f.created_at as refunded_at,
       coalesce(pl.attempt_id, f.attempt_id) as paid_attempt_id
     from (
       select n.*, p.reference, p.status, p.amount_pence as payout_pence,
         p.period_ends_business_at, p.created_at as payout_created_at
       from (select * from payout
         where merchant_id = :merchantId and environment = :environment
           and created_at >= :fromDate::date::timestamp at time zone 'Europe/London'
           and created_at < (:toDate::date + 1)::timestamp at time zone 'Europe/London'
           -- The index is entered where the last page ended.
           and created_at <= (select coalesce(:afterAt::timestamptz, 'infinity'))
           and (:afterAt::timestamptz is null
             or (created_at, payout_id) <= (:afterAt::timestamptz, :afterId::uuid))
         order by created_at desc, payout_id desc) p
       cross join lateral (select * from payout_line
         where merchant_id = :merchantId and environment = :environment
           and payout_id = p.payout_id
           and entry_id > case when p.payout_id = :afterId::uuid
             then :afterEntry::bigint else 0 end
         order by entry_id limit :limit::int) n
       order by p.created_at desc, p.payout_id desc, n.entry_id limit :limit::int) pl
     left join lateral (select * from refund
       where merchant_id = :merchantId and environment = :environment
         and refund_id = pl.resource_id limit 1) f on true
     -- A fence: joined by a plain column, an attempt is found by its key.
     offset 0) l
   left join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = l.paid_attempt_id
   left join payment_request q on q.merchant_id = :merchantId and q.environment = :environment
     and q.payment_request_id = a.payment_request_id
   order by l.payout_created_at desc, l.payout_id desc, l.entry_id`,
);

export type ExportedPayment = {
  readonly payment_request_id: string;
  readonly payment_idempotency_id: string;
  readonly position: number;
  readonly status: string;
  readonly method: string;
  readonly order_id: string;
  readonly customer_reference: string;
  readonly consumer_name: string | null;
  readonly paid_pence: bigint;
  readonly tip_pence: bigint;
  readonly refunded_pence: bigint;
  readonly store_id: string;
  readonly location_name: string;
  readonly notes: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** The transactions that the search lists, the newest first, after the last one read. */
export const listExportedPayments = statement<
  Page & {
    readonly afterAt: Date | null;
    readonly afterId: string | null;
    readonly afterPosition: number | null;
  },
  ExportedPayment
>(
  'export_payments',
  sql(
    'merchantId',
    'environment',
    'fromDate',
    'toDate',
    'afterAt',
    'afterId',
    'afterPosition',
    'limit',
  )`
   select t.payment_request_id, a.payment_idempotency_id, t.position, a.status, a.method,
     q.order_id, q.merchant_customer_reference as customer_reference, a.consumer_name,
     a.amount_pence + a.tip_pence as paid_pence, a.tip_pence,
     a.refunded_pence + a.refund_reserved_pence + refunded_at_processor_pence(a.refunds)
       as refunded_pence,
     q.store_id, ${shownStoreNameSql('s')} as location_name, q.notes, t.created_at, a.updated_at
   from (select * from transaction_item i
     where i.merchant_id = :merchantId and i.environment = :environment
       and i.created_at >= :fromDate::date::timestamp at time zone 'Europe/London'
       and i.created_at < (:toDate::date + 1)::timestamp at time zone 'Europe/London'
       and i.created_at <= (select coalesce(:afterAt::timestamptz, 'infinity'))
       and (:afterAt::timestamptz is null or i.created_at < :afterAt::timestamptz
         or (i.created_at = :afterAt::timestamptz
           and (i.payment_request_id, i.position) > (:afterId::uuid, :afterPosition::int)))
     order by i.created_at desc, i.payment_request_id, i.position limit :limit::int) t
   join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.payment_request_id = t.payment_request_id and a.position = t.position
   join payment_request q on q.merchant_id = :merchantId and q.environment = :environment
     and q.payment_request_id = t.payment_request_id
   join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = q.store_id
   order by t.created_at desc, t.payment_request_id, t.position`,
);
