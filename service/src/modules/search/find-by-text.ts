import { limits } from '@florin/contract';
import type { Database } from '#platform/database/open-database.ts';
import { leadValues, textValues } from './read-search-text.ts';
import { type CountedWord, countWords } from './store/count-words.ts';
import { filterByWord, searchByWord } from './store/search-by-word.ts';
import { searchByStatus, searchNewest } from './store/search-candidates.ts';
import type { SearchRow, SearchValues } from './store/search-sql.ts';

const maxMatches = limits.searchMatchesMax;
/** Prefixes of more words than this are not read word by word. */
const maxWholeWords = 8;
/** The longest words of a text; the others are only compared. */
const maxCountedWords = 6;
/** If every word is common: so many of the newest are compared, more for a later page. */
const steps = [1_000, 8_000];
const candidatesPerMatch = 4;

/**
 * A rare word leads: all transactions with it are read. If every word is common, the newest are
 * read, which fills most pages; only otherwise all with the two rarest words.
 */
export const findByText = async (
  database: Database,
  values: SearchValues,
  words: readonly string[],
): Promise<SearchRow[]> => {
  const { merchantId, environment } = values;
  const counted = await database.tenant(merchantId, countWords, {
    merchantId,
    environment,
    words: words.slice(0, maxCountedWords),
    maxItems: maxMatches + 1,
    maxWholeWords,
  });
  const [lead, second] = [...counted].sort(rarestFirst);
  if (!lead) throw new Error('a text without words has no lead');
  const isPlain = words.length === 1 && !isFiltered(values);
  const searched = {
    ...values,
    ...textValues(words),
    ...leadValues(lead.word, lead.whole_words, second?.word ?? null),
  };
  for (const { by, maxCandidates } of newestFirst(lead, values, isPlain)) {
    const rows = await database.tenant(merchantId, by, { ...searched, maxCandidates });
    if (!isEnough(rows, values)) continue;
    // The words are counted over all time.
    const isCounted = isPlain && values.fromDay === '-infinity' && values.toDay === 'infinity';
    return isCounted ? rows.map((row) => ({ ...row, total: lead.items })) : rows;
  }
  const all = { ...searched, maxCandidates: null };
  return database.tenant(merchantId, allWith(lead, second, isPlain), all);
};

/** What to read before all that have the lead, if too many have it. */
const newestFirst = (
  { items, whole_words }: CountedWord,
  { statuses, skipped, size }: SearchValues,
  isPlain: boolean,
) => {
  if (items <= maxMatches) return [];
  if (isPlain && whole_words)
    return [{ by: searchByWord.newestOfWholeWords, maxCandidates: maxMatches + 1 }];
  const byWord = whole_words ? filterByWord.newestOfWholeWords : searchNewest;
  const order = statuses ? [searchByStatus, byWord] : [byWord];
  return steps.flatMap((step) => {
    const maxCandidates = Math.max(step, (skipped + size) * candidatesPerMatch);
    return order.map((by) => ({ by, maxCandidates }));
  });
};

const allWith = ({ items }: CountedWord, second: CountedWord | undefined, isPlain: boolean) => {
  if (isPlain) return searchByWord.wholePrefix;
  return second && items > maxMatches ? filterByWord.twoPrefixes : filterByWord.wholePrefix;
};

const isEnough = ([row]: readonly SearchRow[], { skipped, size }: SearchValues): boolean =>
  row !== undefined && (row.is_whole || row.total >= skipped + size);

/** Of those that many have, first one that the index has in the order of time. */
const rarestFirst = (one: CountedWord, other: CountedWord): number =>
  Number(one.items - other.items) ||
  Number(one.whole_words === null) - Number(other.whole_words === null);

const isFiltered = (values: SearchValues): boolean => {
  const { statuses, methods, storeIds, minPence, maxPence, institutionIds } = values;
  const filters = [statuses, methods, storeIds, minPence, maxPence, institutionIds];
  return filters.some((each) => each !== null);
};
