import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
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
