import { type Fragment, type Part, sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type CandidateValues, newest, searchCandidates } from './search-candidates.ts';
import { type SearchRow, searchSql } from './search-sql.ts';

const { created, key, newestFirst, pageWithTotal, shownColumns, tenant } = searchSql;

/** The word of a text by which transactions are found. */
export type LeadValues = {
  readonly word: string;
  readonly wordBelow: string;
  readonly wholeWords: readonly string[] | null;
  /** The next word of a text with several. */
  readonly secondWord: string | null;
  readonly secondBelow: string | null;
};

// `shared` leaves out a transaction that an earlier word with the same prefix has found.
const inRange = <const Range extends Part, const Length extends Part>(
  range: Range,
  length: Length,
) => sql()`
  select ${key('w')} from transaction_word w
  where ${tenant('w')} and ${range} and w.shared < ${length} and ${created('w')}`;

const wordLength = sql('word')`length(:word::text)`;

/** All words with the prefix. */
const byPrefix = inRange(
  sql('word', 'wordBelow')`w.word >= :word and w.word < :wordBelow`,
  wordLength,
);

/** What has both words is known from the index of words alone, before any transaction is read. */
const byTwoPrefixes = sql()`
  select w.* from (${byPrefix} intersect ${inRange(
    sql('secondWord', 'secondBelow')`w.word >= :secondWord and w.word < :secondBelow`,
    sql('secondWord')`length(:secondWord::text)`,
  )}) w`;

/**
 * The index has the transactions of a whole word in the order of time: only its newest are read.
 */
const byWholeWords = sql('wholeWords')`
  select w.* from unnest(:wholeWords::text[]) as whole (word)
  cross join lateral (${inRange('w.word = whole.word', wordLength)} ${newest('w')}) w`;

// Matches of the id are left to the id, so that nothing is found twice.
const entry = <const Name extends string>(entries: Fragment<Name>) => sql(
  'idFrom',
  'idTo',
  'maxCandidates',
)`
  entry as materialized (
    select w.* from (${entries}) w
    where :idFrom::uuid is null or w.payment_request_id not between :idFrom::uuid and :idTo::uuid
    union all
    select i.* from (
      select ${key('i')} from transaction_item i
      where ${tenant('i')} and i.payment_request_id between :idFrom::uuid and :idTo::uuid
      -- Together with times, the index of time would be read from end to end.
      offset 0) i
    where ${created('i')}
    order by created_at desc, payment_request_id, position limit :maxCandidates::bigint)`;

type Entries = Fragment<keyof (CandidateValues & LeadValues)>;

/** One word and no other filter: the index of words counts, and only the page is read. */
const searchWord = (name: string, entries: Entries) =>
  statement<CandidateValues & LeadValues, SearchRow>(
    name,
    sql('maxCandidates', 'size', 'skipped')`
   with ${entry(entries)},
    total as (
      select count(*) as total,
        :maxCandidates::bigint is null or count(*) < :maxCandidates::bigint as is_whole
      from entry),
    page as (
      select i.* from (
        select * from entry order by ${newestFirst('entry')}
        limit :size::bigint offset :skipped::bigint) e
      cross join lateral (
        select ${shownColumns} from transaction_item i
        where ${tenant('i')} and i.payment_request_id = e.payment_request_id
          and i.position = e.position offset 0) i)
    ${pageWithTotal}`,
  );

export const searchByWord = {
  wholePrefix: searchWord('search_prefix', byPrefix),
  newestOfWholeWords: searchWord('search_whole_words', byWholeWords),
};

/** A list of ids costs a fraction of a join. */
const itemsOf = <const Name extends string>(entries: Fragment<Name>) => sql()`
  with ${entry(entries)}
  select i.* from transaction_item i
  where ${tenant('i')} and i.payment_request_id = any (array(select payment_request_id from entry))
    -- Another attempt of the same request may have come before all that were read.
    and i.created_at >= (select min(created_at) from entry)`;

/** Of a rare status the index has fewer than the word: the others are left out before they are read. */
const itemsOfStatus = <const Name extends string>(entries: Fragment<Name>) => sql('statuses')`
  with ${entry(entries)},
  kept as materialized (
    select e.payment_request_id from entry e
    join transaction_item s on ${tenant('s')} and s.payment_request_id = e.payment_request_id
      and s.position = e.position and s.status = any (:statuses::text[]))
  select i.* from transaction_item i
  where ${tenant('i')} and i.payment_request_id = any (array(select payment_request_id from kept))
    and i.created_at >= (select min(created_at) from entry)`;

/** The same for more than one word. */
export const filterByWord = {
  wholePrefix: searchCandidates<LeadValues>('search_by_prefix', itemsOf(byPrefix)),
  wholePrefixOfStatus: searchCandidates<LeadValues>(
    'search_by_prefix_of_status',
    itemsOfStatus(byPrefix),
    // Which of the two is the shorter is known from the values alone.
    { isPlannedPerCall: true },
  ),
  twoPrefixes: searchCandidates<LeadValues>('search_by_two_prefixes', itemsOf(byTwoPrefixes)),
  newestOfWholeWords: searchCandidates<LeadValues>('search_by_whole_words', itemsOf(byWholeWords)),
};
