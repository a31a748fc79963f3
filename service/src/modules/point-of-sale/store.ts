import { limits, type ReplyOf } from '@florin/contract';
import type { listPaymentCodes } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { chosenStoreSql, clockOffsetSql, shownStoreNameSql } from '#modules/merchants/index.ts';
import {
  type Continued,
  goesOn,
  inEachOrder,
  type NewestFirst,
  newestFirstSql,
  type TotalRow,
} from '#platform/database/pages.ts';
import type { RowOf } from '#platform/database/rows.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Code = ReplyOf<typeof listPaymentCodes>['data'][number];
type Amounts = 'amount' | 'minAmount' | 'maxAmount';

export type CodeRow = RowOf<
  Omit<Code, Amounts | 'madeBy' | 'codeUrl' | 'qrCodeUrl'>,
  'createdAt'
> & {
  readonly token: string;
  readonly amount_pence: bigint | null;
  readonly min_pence: bigint | null;
  readonly max_pence: bigint | null;
  readonly made_by: string;
};

type NewCode = Tenant & {
  readonly codeId: string;
  readonly token: string;
  readonly storeId: string | null;
  readonly label: string;
  readonly amountPence: string | null;
  readonly minPence: string | null;
  readonly maxPence: string | null;
  readonly madeBy: string;
  readonly max: number;
};

const columns = `c.code_id, c.token, c.store_id, ${shownStoreNameSql('s')} as store_name, c.label,
  c.amount_pence, c.min_pence, c.max_pence, c.status, c.made_by, c.created_at`;

/** No row: no such store, or as many codes as a merchant may have. A repeat finds its own. */
export const insertCode = statement<NewCode, { readonly code_id: string }>(
  'payment_code_insert',
  sql(
    'merchantId',
    'environment',
    'codeId',
    'token',
    'storeId',
    'label',
    'amountPence',
    'minPence',
    'maxPence',
    'madeBy',
    'max',
  )`
   with wanted as (select :storeId::uuid as store_id),
   made as (
     insert into payment_code (merchant_id, environment, code_id, token, store_id, label,
       amount_pence, min_pence, max_pence, made_by)
     select :merchantId::uuid, :environment::text, :codeId::uuid, :token::text, s.store_id,
       :label::text, :amountPence::bigint, :minPence::bigint, :maxPence::bigint, :madeBy::uuid
     from wanted, store s where ${chosenStoreSql('wanted.store_id')}
       and (select count(*) from payment_code n where n.merchant_id = :merchantId
         and n.environment = :environment) < :max::int
     on conflict (merchant_id, environment, code_id) do nothing
     returning code_id),
   directory as (
     insert into public_id (public_id, kind, merchant_id, environment, target_id)
     select :token::text, 'PAYMENT_CODE', :merchantId::uuid, :environment::text, made.code_id
     from made)
   select code_id from made
   union
   select code_id from payment_code where merchant_id = :merchantId and environment = :environment
     and code_id = :codeId::uuid`,
  { guardedBy: 'primary key: the id is decided once for each Idempotency-Key' },
);

export const readCode = statement<Tenant & { readonly codeId: string }, CodeRow>(
  'payment_code_read',
  sql('merchantId', 'environment', 'codeId')`
   select ${columns} from payment_code c
   join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = c.store_id
   where c.merchant_id = :merchantId and c.environment = :environment
     and c.code_id = :codeId::uuid`,
);

export const listCodes = statement<
  Tenant & {
    readonly status: string | null;
    readonly orderBy: 'NEWEST' | 'OLDEST' | 'LABEL';
    readonly skipped: number;
    readonly limit: number;
  },
  CodeRow & { readonly total: bigint }
>(
  'payment_code_list',
  sql('merchantId', 'environment', 'status', 'orderBy', 'skipped', 'limit')`
   select ${columns}, count(*) over () as total from payment_code c
   join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = c.store_id
   where c.merchant_id = :merchantId and c.environment = :environment
     and (:status::text is null or c.status = :status::text)
   order by case when :orderBy::text = 'LABEL' then lower(c.label) end,
     case when :orderBy::text = 'OLDEST' then c.created_at end, c.created_at desc, c.code_id desc
   limit :limit::int offset :skipped::int`,
);

export const updateCodeStatus = statement<
  Tenant & { readonly codeId: string; readonly status: string },
  { readonly code_id: string }
>(
  'payment_code_update_status',
  sql('merchantId', 'environment', 'codeId', 'status')`
   update payment_code set status = :status, updated_at = clock_timestamp()
   where merchant_id = :merchantId and environment = :environment and code_id = :codeId::uuid
   returning code_id`,
  { guardedBy: 'the last of two wins; a repeat changes nothing' },
);

/**
 * Counts a payment that begins, once however often it is tried. No row: as many as allowed have begun within
 * the time. The row itself holds them, so that those that wait for its lock see those before them.
 */
export const beginPayment = statement<
  Tenant & {
    readonly codeId: string;
    readonly payment: string;
    readonly withinMs: number;
    readonly max: number;
  },
  { readonly code_id: string }
>(
  'payment_code_begin_payment',
  sql('merchantId', 'environment', 'codeId', 'payment', 'withinMs', 'max')`
   update payment_code c set recent_payments = jsonb_build_object(:payment::text, at.ms) || (
     select coalesce(jsonb_object_agg(o.key, o.value), '{}') from jsonb_each(c.recent_payments) o
     where o.value::bigint > at.ms - :withinMs::int)
   from (select (extract(epoch from clock_timestamp() + ${clockOffsetSql}) * 1000)::bigint as ms) at
   where c.merchant_id = :merchantId and c.environment = :environment and c.code_id = :codeId::uuid
     and (select count(*) from jsonb_each(c.recent_payments) o
       where o.value::bigint > at.ms - :withinMs::int and o.key <> :payment::text) < :max::int
   returning c.code_id`,
  { guardedBy: 'lock of the row, whose count is looked at again once it is free' },
);

export type ListedPayment = Continued & { readonly payment_request_id: string };

export type SaleFilter = { readonly storeId: string | null; readonly tillName: string | null };

/** By the index of what programs have not made; the newest first. */
export const listSales = statement<Tenant & SaleFilter & NewestFirst, ListedPayment>(
  'till_sale_list',
  sql('merchantId', 'environment', 'storeId', 'tillName')`
   select r.payment_request_id, ${goesOn('r', 'payment_request_id')}
   from payment_request r
   where r.merchant_id = :merchantId and r.environment = :environment and r.channel = 'TILL'
     and (:storeId::uuid is null or r.store_id = :storeId::uuid)
     and (:tillName::text is null or r.till_name = :tillName::text)${newestFirstSql(
       'r',
       'payment_request_id',
     )}`,
);

export type LinkFilter = {
  readonly status: string | null;
  readonly storeId: string | null;
  readonly fromDay: string;
  readonly toDay: string;
  readonly search: string | null;
  readonly searchPence: string | null;
};

const isLink = sql(
  'merchantId',
  'environment',
  'status',
  'storeId',
  'fromDay',
  'toDay',
  'search',
  'searchPence',
)`
   r.merchant_id = :merchantId and r.environment = :environment and r.channel = 'DASHBOARD'
     and r.created_at >= london_midnight(:fromDay::date)
     and r.created_at < london_midnight(:toDay::date + 1)
     and (:status::text is null or r.status = :status::text)
     and (:storeId::uuid is null or r.store_id = :storeId::uuid)
     and (:search::text is null or r.amount_pence = :searchPence::bigint
       or strpos(lower(concat_ws(' ', r.order_id, r.merchant_customer_reference, r.notes)),
         lower(:search::text)) > 0)`;

export const listLinks = inEachOrder((sort) =>
  statement<Tenant & LinkFilter & NewestFirst, ListedPayment>(
    `payment_links_${sort.toLowerCase()}`,
    sql()`
   select r.payment_request_id, ${goesOn('r', 'payment_request_id', sort)}
   from payment_request r where ${isLink}${newestFirstSql('r', 'payment_request_id', sort)}`,
    { isPlannedPerCall: true },
  ),
);

/** What the links that are found ask for. */
export const addLinks = statement<Tenant & LinkFilter & { readonly max: number }, TotalRow>(
  'payment_link_totals',
  sql('max')`
   select status, count(*) as items, sum(amount_pence)::bigint as amount_pence
   from (select r.status, r.amount_pence from payment_request r where ${isLink}
     order by r.created_at desc limit :max::int) r
   group by status order by status`,
  // Without a search it is read from the index alone.
  { isPlannedPerCall: true },
);

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

/** The sales of one seller on a day at one till by one method; no method: they are not paid. */
export type SalesRow = {
  readonly day: string;
  readonly sold_on: string;
  readonly store_id: string;
  readonly store_name: string;
  readonly till_name: string;
  readonly person_id: string;
  readonly method: 'PAY_BY_BANK' | 'CARD' | null;
  readonly sales: number;
  readonly amount_pence: bigint;
  readonly tip_pence: bigint;
  readonly refunded_pence: bigint;
};

export const addSales = statement<
  Tenant & {
    readonly day: string | null;
    readonly to: string | null;
    readonly storeId: string | null;
  },
  SalesRow | { readonly day: string; readonly sales: null }
>(
  'till_cash_up',
  sql('merchantId', 'environment', 'day', 'to', 'storeId')`
   with chosen as materialized (select coalesce(:day::date,
       ((clock_timestamp() + ${clockOffsetSql}) at time zone 'Europe/London')::date) as day),
   sale as materialized (
     select q.payment_request_id, q.till_name, q.secret_id, q.store_id, s.location_name,
       london_day(q.created_at) as sold_on from chosen c
     join payment_request q on q.merchant_id = :merchantId and q.environment = :environment
       and q.channel = 'TILL' and q.created_at >= london_midnight(c.day)
       and q.created_at < london_midnight(coalesce(:to::date, c.day) + 1)
       and (:storeId::uuid is null or q.store_id = :storeId::uuid)
     join store s on s.merchant_id = :merchantId and s.environment = :environment
       and s.store_id = q.store_id),
   added as (
     select s.sold_on::text as sold_on, s.store_id, ${shownStoreNameSql('s')} as store_name,
       s.till_name, s.secret_id as person_id, a.method, count(*)::int as sales,
       coalesce(sum(a.amount_pence), 0)::bigint as amount_pence,
       coalesce(sum(a.tip_pence), 0)::bigint as tip_pence,
       coalesce(sum(a.refunded_pence + a.refund_reserved_pence
         + refunded_at_processor_pence(a.refunds)), 0)::bigint as refunded_pence
     from sale s
     left join attempt a on a.merchant_id = :merchantId and a.environment = :environment
       and a.payment_request_id = s.payment_request_id and a.status = 'COMPLETED'
     group by 1, 2, 3, 4, 5, 6, s.location_name
     order by 1 desc, 3, 2, 4, 5, 6 limit ${limits.cashUpRowsMax})
   select c.day::text as day, added.* from chosen c left join added on true`,
);
