import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { shownStoreNameSql } from '#modules/merchants/index.ts';
import { inEachOrder, type Sort, type TotalRow } from '#platform/database/pages.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type Page = Tenant & { readonly limit: number; readonly skipped: number };

type Filter = Page & {
  readonly fromDay: string;
  readonly toDay: string;
  readonly status: string | null;
  readonly reference: string | null;
  readonly amountPence: string | null;
};

type ListedPayout = {
  readonly payout_id: string;
  readonly amount_pence: bigint;
  readonly status: 'PENDING' | 'PROCESSING' | 'SETTLED' | 'FAILED';
  readonly reference: string;
  readonly period_ends_business_at: Date;
  readonly settled_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly account_name: string;
  readonly account_number: string;
  readonly line_count: number;
};

const matches = sql(
  'merchantId',
  'environment',
  'fromDay',
  'toDay',
  'status',
  'reference',
  'amountPence',
)`
  p.merchant_id = :merchantId and p.environment = :environment
    and p.created_at >= :fromDay::date::timestamp at time zone 'Europe/London'
    and p.created_at < (:toDay::date + 1)::timestamp at time zone 'Europe/London'
    and (:status::text is null or p.status = :status::text)
    and (:amountPence::bigint is null or p.amount_pence = :amountPence::bigint)
    and (:reference::text is null or (p.reference collate "C" >= :reference::text
      and p.reference collate "C" < :reference::text || '~'))`;

/**
 * A statement for each order, because an order that is chosen by a value is in no index. The page is chosen
 * within an index, wherever it lies; the rows are read for it alone.
 */
const listInOrder = (sort: Sort) => {
  const direction = sort === 'NEWEST' || sort === 'LARGEST' ? 'desc' : '';
  const byAmount = sort === 'LARGEST' || sort === 'SMALLEST';
  const order = (alias: string) =>
    [...(byAmount ? ['amount_pence'] : []), 'created_at', 'payout_id']
      .map((column) => `${alias}.${column} ${direction}`)
      .join(', ');
  return statement<Filter, ListedPayout>(
    `payout_list_${sort.toLowerCase()}`,
    sql('merchantId', 'environment', 'limit', 'skipped')`
   select q.payout_id, q.amount_pence, q.status, q.reference, q.period_ends_business_at,
     case when q.status = 'SETTLED' then q.finalized_at end as settled_at,
     q.created_at, q.updated_at, q.account_name, q.account_number, q.line_count
   from (select p.payout_id, p.created_at, p.amount_pence from payout p where ${matches}
     order by ${order('p')}
     limit :limit::int offset :skipped::int) chosen
   -- With a limit of one a row is found by its key, never by reading all of them.
   cross join lateral (select * from payout r where r.merchant_id = :merchantId
     and r.environment = :environment and r.payout_id = chosen.payout_id limit 1) q
   order by ${order('chosen')}`,
    { isPlannedPerCall: true },
  );
};

export const listPayoutRows = inEachOrder(listInOrder);

type Counted = Omit<Filter, 'limit' | 'skipped'>;

/** By days and status: counted when they change, so that the list costs the same however many there are. */
export const countPayouts = statement<
  Omit<Counted, 'reference' | 'amountPence'>,
  { readonly total: number }
>(
  'payout_count',
  sql('merchantId', 'environment', 'fromDay', 'toDay', 'status')`
   select coalesce(sum(payouts), 0)::int as total from payout_count
   where merchant_id = :merchantId and environment = :environment
     and created_on between :fromDay::date and :toDay::date
     and (:status::text is null or status = :status::text)`,
);

/** What the payouts that are found add up to. */
export const addPayouts = statement<Counted & { readonly max: number }, TotalRow>(
  'payout_totals',
  sql('max')`
   select status, count(*) as items, sum(amount_pence)::bigint as amount_pence
   from (select p.status, p.amount_pence from payout p where ${matches}
     order by p.created_at desc limit :max::int) p
   group by status order by status`,
  { isPlannedPerCall: true },
);

/** What a search finds is few. */
export const countFoundPayouts = statement<Counted, { readonly total: number }>(
  'payout_count_found',
  sql()`select count(*)::int as total from payout p where ${matches}`,
  { isPlannedPerCall: true },
);

export type PayoutLine = {
  readonly total: number;
  readonly reference: string;
  readonly amount_pence: bigint;
  readonly reason: string;
  /** Null: it is of no one payment. */
  readonly payment_idempotency_id: string | null;
  readonly payment_request_id: string | null;
  readonly created_at: Date;
  readonly occurred_at: Date;
  readonly refund_id: string | null;
  readonly refund_reference: string | null;
  readonly callback_params: Record<string, unknown> | null;
  readonly notes: string | null;
  readonly order_id: string | null;
  readonly store_name: string;
};

export const listLines = statement<Page & { readonly payoutId: string }, PayoutLine>(
  'payout_list_lines',
  sql('merchantId', 'environment', 'payoutId', 'limit', 'skipped')`
   select p.line_count as total, p.reference, l.amount_pence, l.reason,
     a.payment_idempotency_id, a.payment_request_id,
     coalesce(l.refunded_at, a.created_at, l.occurred_at) as created_at,
     l.occurred_at, l.refund_id, l.end_to_end_id as refund_reference, q.callback_params, q.notes,
     q.order_id, ${shownStoreNameSql('s')} as store_name
   from payout p
   join (
     select pl.*, f.refund_id, f.end_to_end_id, f.created_at as refunded_at,
       coalesce(pl.attempt_id, f.attempt_id) as paid_attempt_id
     from (select * from payout_line
       where merchant_id = :merchantId and environment = :environment
         and payout_id = :payoutId::uuid
       order by entry_id limit :limit::int offset :skipped::int) pl
     left join lateral (select * from refund
       where merchant_id = :merchantId and environment = :environment
         and refund_id = pl.resource_id limit 1) f on true
     -- A fence: joined by a plain column, an attempt is found by its key.
     offset 0) l on l.payout_id = p.payout_id
   left join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = l.paid_attempt_id
   left join payment_request q on q.merchant_id = :merchantId and q.environment = :environment
     and q.payment_request_id = a.payment_request_id
   join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = l.store_id
   where p.merchant_id = :merchantId and p.environment = :environment
     and p.payout_id = :payoutId::uuid
   order by l.entry_id`,
);

type PayoutMatch = 'MATCHED' | 'DIFFERENT' | 'MISSING' | 'WAITING' | 'NOT_CONNECTED';

export type ListedMatch = {
  readonly payout_id: string;
  readonly reference: string;
  readonly amount_pence: bigint;
  readonly settled_at: Date;
  readonly match: PayoutMatch;
  /** Decimal pounds. */
  readonly credited: string;
  readonly credits: number;
  readonly credited_at: Date | null;
  readonly account_id: string | null;
  readonly transaction_id: string | null;
  readonly is_payout_account: boolean | null;
};

type MatchFilter = Tenant & {
  readonly fromDay: string;
  readonly toDay: string;
  readonly match: PayoutMatch | null;
};

/** PAYOUT-7: what was found is kept, what it means follows from it. */
const matchSql = sql('merchantId', 'environment')`
  case when m.credits > 0 and m.credited * 100 = p.amount_pence then 'MATCHED'
     when m.credits > 0 then 'DIFFERENT'
     when m.read_until >= p.finalized_at + ${limits.payoutMatchMs} * interval '1 millisecond'
       then 'MISSING'
     when exists (select from bank_account b where b.merchant_id = :merchantId
       and b.environment = :environment and b.sort_code = p.sort_code
       and b.account_number = p.account_number) then 'WAITING'
     else 'NOT_CONNECTED' end`;

/** An account that is no longer connected is not named any more. */
const found = sql('merchantId', 'environment', 'fromDay', 'toDay')`
  select p.payout_id, p.reference, p.amount_pence, p.finalized_at as settled_at,
     ${matchSql} as match, coalesce(m.credited, 0)::numeric(20, 2)::text as credited,
     coalesce(m.credits, 0) as credits, m.credited_at, b.account_id,
     case when b.account_id is not null then m.transaction_id end as transaction_id,
     m.is_payout_account
   from payout p
   left join payout_match m on m.merchant_id = :merchantId and m.environment = :environment
     and m.payout_id = p.payout_id
   left join bank_account b on b.merchant_id = :merchantId and b.environment = :environment
     and b.account_id = m.account_id
   where p.merchant_id = :merchantId and p.environment = :environment and p.status = 'SETTLED'
     and p.finalized_at >= :fromDay::date::timestamp at time zone 'Europe/London'
     and p.finalized_at < (:toDay::date + 1)::timestamp at time zone 'Europe/London'`;

export const listMatches = statement<
  MatchFilter & { readonly limit: number; readonly skipped: number },
  ListedMatch
>(
  'payout_match_list',
  sql('match', 'limit', 'skipped')`
   select * from (${found}) f where :match::text is null or f.match = :match::text
   order by f.settled_at desc, f.payout_id desc limit :limit::int offset :skipped::int`,
  { isPlannedPerCall: true },
);

export const countMatches = statement<MatchFilter, { readonly total: number }>(
  'payout_match_count',
  sql('match')`
   select count(*)::int as total from (${found}) f
   where :match::text is null or f.match = :match::text`,
  { isPlannedPerCall: true },
);

/** The newest first, after the last one read. */
export const listExportedMatches = statement<
  Omit<MatchFilter, 'match'> & {
    readonly limit: number;
    readonly afterAt: Date | null;
    readonly afterId: string | null;
  },
  ListedMatch
>(
  'export_payout_matches',
  sql('afterAt', 'afterId', 'limit')`
   ${found}
     and p.finalized_at <= (select coalesce(:afterAt::timestamptz, 'infinity'))
     and (:afterAt::timestamptz is null
       or (p.finalized_at, p.payout_id) < (:afterAt::timestamptz, :afterId::uuid))
   order by p.finalized_at desc, p.payout_id desc limit :limit::int`,
);
