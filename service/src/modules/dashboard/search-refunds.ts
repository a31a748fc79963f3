import { limits, type ReplyOf } from '@florin/contract';
import type { listMerchantRefunds } from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { penceFromPounds } from '#kernel/pence.ts';
import { shownStoreNameSql } from '#modules/merchants/index.ts';
import { namedBy } from '#modules/search/index.ts';
import {
  type Continued,
  goesOn,
  inEachOrder,
  type NewestFirst,
  newestFirstSql,
  orderSql,
  type Sort,
  type TotalRow,
  totalsOf,
} from '#platform/database/pages.ts';
import type { RowOf } from '#platform/database/rows.ts';
import { type Fragment, sql } from '#platform/database/sql.ts';
import { type Statement, statement } from '#platform/database/statement.ts';

type Reply = ReplyOf<typeof listMerchantRefunds>;
type Refund = Reply['data'][number];

export type RefundRow = Continued &
  RowOf<
    Omit<Refund, 'amount' | 'why' | 'payer' | 'lastFour'>,
    'createdAt' | 'bookedAt' | 'updatedAt'
  > & {
    readonly amount_pence: bigint;
    readonly error_description: string | null;
  };

export type RefundFilter = Tenant & {
  readonly status: string | null;
  readonly storeId: string | null;
  readonly fromDay: string;
  readonly toDay: string;
};

export type Read = <Values, Row>(of: Statement<Values, Row>, values: Values) => Promise<Row[]>;

type Search = RefundFilter & {
  /** The longest word, and where its prefix ends. */
  readonly word: string;
  readonly wordBelow: string;
  /** Of all words. */
  readonly patterns: readonly string[];
  readonly searchPence: string | null;
  readonly max: number;
};

export const isFound = sql('merchantId', 'environment', 'status', 'storeId', 'fromDay', 'toDay')`
   f.merchant_id = :merchantId and f.environment = :environment
     and f.created_at >= london_midnight(:fromDay::date)
     and f.created_at < london_midnight(:toDay::date + 1)
     and (:status::text is null or f.status = :status::text)
     and (:storeId::uuid is null or f.store_id = :storeId::uuid)`;

/** Refunded is what has left: by bank when it was handed over, by card when the processor has done it. */
export const shownColumns = sql('merchantId')`
   select f.refund_id, f.payment_request_id, f.payment_idempotency_id, f.order_id, f.amount_pence,
     f.status, f.waits_for, f.error_description, f.method, f.notes, f.created_at, f.updated_at,
     case when f.method <> 'CARD' then f.handed_over_at
       when f.status = 'COMPLETED' then f.updated_at end as booked_at,
     ${shownStoreNameSql('s')} as store_name, f.goes_on`;

export const withStore = sql('merchantId', 'environment')`
   left join store s on s.merchant_id = :merchantId and s.environment = :environment
     and s.store_id = f.store_id`;

/** Entries of the index of payments whose word begins so, `max` of them at most. */
const entries = sql('merchantId', 'environment', 'word', 'wordBelow', 'max')`
   select w.payment_request_id, w.position from transaction_word w
   where w.merchant_id = :merchantId and w.environment = :environment
     and w.word >= :word and w.word < :wordBelow and w.shared < length(:word::text)
   limit :max::int`;

const countEntries = statement<Search, { readonly entries: number }>(
  'dashboard_refund_names',
  sql()`select count(*)::int as entries from (${entries}) w`,
);

const hasAllWords = (alias: string, position: string) => sql(
  'merchantId',
  'environment',
  'patterns',
)`
   exists (select from transaction_item i
     where i.merchant_id = :merchantId and i.environment = :environment
       and i.payment_request_id = ${alias}.payment_request_id ${position}
       and i.words like all (:patterns::text[]))`;

const isOfNamed = sql('patterns')`
   f.payment_request_id = any (array(
     select w.payment_request_id from (${entries}) w
     where cardinality(:patterns::text[]) = 1
       or ${hasAllWords('w', 'and i.position = w.position')}))`;

const isOfAmount = sql('searchPence')`f.amount_pence = :searchPence::bigint`;

const keys = 'f.created_at, f.amount_pence, f.refund_id, f.status';

/** All of them by their own index: in the order of times the others would be read between them. */
const found = (which: Fragment<keyof Search>) =>
  sql()`(select ${keys} from refund f where ${isFound} and ${which} offset 0)`;
const named = found(isOfNamed);
const ofAmount = found(isOfAmount);

/** `limit` are looked at, and `shown` answered. */
type Page = Search & NewestFirst & { readonly shown: number };

const list = (name: string, sort: Sort, found: Fragment<keyof Page>, more = '') =>
  statement<Page, RefundRow>(
    `dashboard_refunds_${name}_${sort.toLowerCase()}`,
    sql('merchantId', 'environment')`
   ${shownColumns}${more}
   from (${found}) k
   cross join lateral (
     select f.*, ${goesOn('f', 'refund_id', sort)} from refund f
     where f.merchant_id = :merchantId and f.environment = :environment
       and f.refund_id = k.refund_id offset 0) f${withStore}
   order by ${orderSql('f', 'refund_id', sort)}`,
    { isPlannedPerCall: true },
  );

/** What few payments are named, and what has the amount, each by its index. */
const listNamed = inEachOrder((sort) =>
  list(
    'search',
    sort,
    sql('shown')`
     select k.refund_id from (
       (select ${keys} from ${named} f where true ${newestFirstSql('f', 'refund_id', sort)})
       union
       (select ${keys} from ${ofAmount} f where true ${newestFirstSql('f', 'refund_id', sort)})) k
     order by ${orderSql('k', 'refund_id', sort)} limit :shown::int`,
  ),
);

const isNamed = sql()`(${isOfAmount} or ${hasAllWords('f', '')})`;

/**
 * What many payments are named: the refunds are looked at in their order, a part of them for each page. The
 * one looked at last is answered too, so that the next page continues behind it.
 */
const listLookedAt = inEachOrder((sort) =>
  list(
    'common',
    sort,
    sql('limit', 'shown')`
     select n.refund_id, n.matches, n.is_whole from (
       select f.*, row_number() over (order by ${orderSql('f', 'refund_id', sort)}) as position,
         ${isNamed} as matches, count(*) over () < :limit::int as is_whole
       from (select f.payment_request_id, ${keys} from refund f where ${isFound}
         ${newestFirstSql('f', 'refund_id', sort)}) f) n
     where n.matches or n.position = :limit::int
     order by n.position limit :shown::int`,
    ', k.matches, k.is_whole',
  ),
);

const addNamed = statement<Search, TotalRow>(
  'dashboard_refund_totals_search',
  sql()`
   select k.status, count(*) as items, sum(k.amount_pence)::bigint as amount_pence
   from (${named} union ${ofAmount}) k
   group by k.status order by k.status`,
  { isPlannedPerCall: true },
);

type LookedAtRow = TotalRow & { readonly looked: bigint };

/** Of the newest, which are looked at one by one. */
const addLookedAt = statement<Search, LookedAtRow>(
  'dashboard_refund_totals_common',
  sql('max')`
   select n.status, count(*) filter (where n.matches) as items,
     coalesce(sum(n.amount_pence) filter (where n.matches), 0)::bigint as amount_pence,
     (sum(count(*)) over ())::bigint as looked
   from (select f.*, ${isNamed} as matches
     from (select f.payment_request_id, ${keys} from refund f where ${isFound}
       order by f.created_at desc limit :max::int) f) n
   group by n.status order by n.status`,
  { isPlannedPerCall: true },
);

// Each is a look at the words of its payment.
const lookedAtForPage = 2_000;

/** Of an order, a customer or an amount of the payment, or of the amount of the refund itself. */
export const findRefunds = async (read: Read, filter: RefundFilter, text: string) => {
  const max = limits.searchMatchesMax;
  const names = namedBy(text);
  const pounds = names.patterns.length === 1 ? names.word : '';
  const searchPence = penceFromPounds(pounds)?.toString() ?? null;
  const search = { ...filter, ...names, searchPence, max: max + 1 };
  const [counted] = await read(countEntries, search);
  const isCommon = (counted?.entries ?? 0) > max;
  return {
    list: (orderBy: Sort, page: NewestFirst): Promise<RefundRow[]> =>
      isCommon
        ? read(listLookedAt[orderBy], {
            ...{ ...search, ...page, limit: lookedAtForPage, shown: page.limit },
          })
        : read(listNamed[orderBy], { ...search, ...page, shown: page.limit }),
    addUp: async (): Promise<Reply['totals']> => {
      if (!isCommon) return totalsOf(await read(addNamed, search));
      const rows = await read(addLookedAt, { ...search, max });
      const totals = totalsOf(rows.filter(({ items }) => Number(items) > 0));
      return { ...totals, isMinimum: Number(rows[0]?.looked ?? 0) >= max };
    },
  };
};
