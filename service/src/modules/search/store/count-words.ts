import type { Environment } from '#kernel/environment.ts';
import { ofEachEnvironment, ofShare } from '#platform/database/of-each-environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { isNotPutOff } from '#platform/database/stuck-rows.ts';
import { searchSql } from './search-sql.ts';

const { tenant } = searchSql;

export type CountedWord = {
  readonly word: string;
  /** Transactions with this prefix, counted no further than the limit. */
  readonly items: bigint;
  /** Number of whole words with this prefix; null above the limit. */
  readonly whole_words: readonly string[] | null;
};

type Values = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly words: readonly string[];
  readonly maxItems: number;
  readonly maxWholeWords: number;
};

const below = `wanted.word || '\u{10ffff}'`;

const nextWord = (after: string) => sql()`
  select w.word from transaction_word w
  where ${tenant('w')} and ${after} and w.word < ${below} order by w.word limit 1`;

export const countWords = statement<Values, CountedWord>(
  'search_count_words',
  sql('maxWholeWords', 'words', 'maxItems')`
   select wanted.word, counted.items,
     case when cardinality(whole.words) <= :maxWholeWords::int then whole.words end as whole_words
   from unnest(:words::text[]) with ordinality as wanted (word, number)
   cross join lateral (
     select count(*) as items from (
       select from transaction_word w
       where ${tenant('w')} and w.word >= wanted.word and w.word < ${below}
         and w.shared < length(wanted.word)
       limit :maxItems::bigint) w) counted
   cross join lateral (
     with recursive next as (
       (${nextWord('w.word >= wanted.word')})
       union all
       select (${nextWord('w.word > next.word')}) from next where next.word is not null)
     select array(select word from next where word is not null
       limit :maxWholeWords::int + 1) as words) whole
   order by wanted.number`,
);

type LooseDay = {
  readonly merchant_id: string;
  readonly environment: string;
  readonly day: string;
  /** What a lease can name. */
  readonly day_id: string;
};

/** Of each environment those with the most rows first, so that each has its turn. */
export const findLooseDays = statement<
  {
    readonly maxDays: number;
    /** Days with fewer rows wait. */
    readonly minRows: number;
  },
  LooseDay
>(
  'transaction_count_loose',
  ofEachEnvironment(sql('maxDays', 'minRows')`
   select d.merchant_id, d.environment, d.day, d.day_id from (
     select merchant_id, environment, day::text as day, md5(day::text)::uuid as day_id,
       count(*) as loose from transaction_count where ${ofShare()} and not is_folded
     group by merchant_id, environment, day having count(*) >= :minRows) d
   where ${isNotPutOff('d', 'day_id', 'FOLD')}
   order by d.loose desc, d.merchant_id, d.day limit :maxDays`),
);

/**
 * Sums up what changes have added to the counts of days. A reader sees all old rows or the new
 * row; of two concurrent folds, one finds no rows.
 */
export const foldCounts = statement<
  {
    readonly merchantIds: readonly string[];
    readonly environments: readonly string[];
    readonly days: readonly string[];
  },
  never
>(
  'transaction_count_fold',
  sql('merchantIds', 'environments', 'days')`
   with due as materialized (
     select * from unnest(:merchantIds::uuid[], :environments::text[], :days::date[])
       as d (merchant_id, environment, day)),
   gone as (
     delete from transaction_count c using due
     where c.merchant_id = due.merchant_id and c.environment = due.environment
       and c.day = due.day
     returning c.*)
   insert into transaction_count (merchant_id, environment, day, store_id, method, status, items,
     amount_pence, is_folded)
   select merchant_id, environment, day, store_id, method, status, sum(items), sum(amount_pence), true
   from gone group by merchant_id, environment, day, store_id, method, status
   having sum(items) <> 0 or sum(amount_pence) <> 0`,
  { guardedBy: 'the deleted rows themselves: of two that fold a day, one finds them gone' },
);
