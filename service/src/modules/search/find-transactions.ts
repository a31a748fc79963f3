import { failures, limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { poundsText } from '#kernel/pence.ts';
import { isTimeout } from '#platform/database/database-unavailable.ts';
import type { Database } from '#platform/database/open-database.ts';
import type { Sort } from '#platform/database/pages.ts';
import { badField } from '#platform/http/error-reply.ts';
import type { Uses } from '#platform/tools.ts';
import { leadValues, readSearchText, textValues } from './search-words.ts';
import { type CountedWord, countWords } from './store/count-words.ts';
import { searchByDay, searchByDayAndStatus } from './store/search-by-day.ts';
import { searchByDetail, searchByDetailAndStatus } from './store/search-by-detail.ts';
import { filterByWord, searchByWord } from './store/search-by-word.ts';
import { searchByCustomer, searchByStatus, searchNewest } from './store/search-candidates.ts';
import { addUpDays, type StatusTotal, searchInOrder } from './store/search-in-order.ts';
import type { FoundTransaction, SearchRow, SearchValues } from './store/search-sql.ts';

const detailSteps = [limits.searchMatchesMax, limits.searchReadMax];

/**
 * By amount or bank, which no index has: the newest are read, more of them if a page is not full.
 * Nothing is read beyond, so that a rare match costs no more than a frequent one.
 */
const findByDetail = async (database: Database, values: SearchValues): Promise<SearchRow[]> => {
  const by = values.statuses ? searchByDetailAndStatus : searchByDetail;
  let rows: SearchRow[] = [];
  for (const maxCandidates of detailSteps) {
    rows = await database.tenant(values.merchantId, by, { ...values, maxCandidates });
    const [row] = rows;
    if (row && (row.is_whole || row.total >= values.skipped + values.size)) return rows;
  }
  return rows;
};

const maxMatches = limits.searchMatchesMax;
/** Prefixes of more words than this are not read word by word. */
const maxWholeWords = 8;
/** The longest words of a text; the others are only compared. */
const maxCountedWords = 6;
/** If every word is common: so many of the newest are compared, more for a later page. */
const textSteps = [1_000, 8_000];
const candidatesPerMatch = 4;

/**
 * A rare word leads: all transactions with it are read. If every word is common, the newest are
 * read, which fills most pages; only otherwise all with the two rarest words.
 */
const findByText = async (
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
  const by =
    values.statuses && lead.items <= maxMatches
      ? filterByWord.wholePrefixOfStatus
      : allWith(lead, second, isPlain);
  return database.tenant(merchantId, by, all);
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
  return textSteps.flatMap((step) => {
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

type TransactionFilter = Omit<SearchValues, keyof Tenant> & {
  readonly text: string;
  readonly sort: Sort;
};

type FoundPage = {
  /** The newest first. */
  readonly transactions: readonly FoundTransaction[];
  readonly total: number;
  /** Counting ended at `total`: there may be more. */
  readonly totalIsMinimum: boolean;
};

/** The filters choose the statement that reads least. */
export const findTransactions = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { text, sort, ...filter }: TransactionFilter,
): Promise<FoundPage> => {
  const words = wordsOf(text, filter);
  if (words === null) return nothing;
  const values = { ...tenant, ...filter };
  const isCounted = words.length === 0 && !hasDetail(filter);
  if (!isCounted || sort !== 'NEWEST') checkDepth(filter.skipped);
  if (sort !== 'NEWEST' && (!isCounted || filter.customerIds))
    return sortFew(await findAll(tools, values, words), sort, filter);
  const rows = await (sort === 'NEWEST'
    ? find(tools, values, words)
    : tools.database.tenant(tenant.merchantId, searchInOrder[sort], values)
  ).catch(explainLate);
  return foundPage(rows, isCounted ? Number.POSITIVE_INFINITY : limits.searchMatchesMax);
};

/** Null: accents alone name no word, and so no transaction. */
const wordsOf = (text: string, filter: Details): readonly string[] | null => {
  const named = readSearchText(text);
  if (named.length === 0 && text.trim() !== '') return null;
  return [...named, ...exactAmount(filter)];
};

/** What no counter tells apart, up to a limit. */
const findAll = async (
  tools: Uses<'database'>,
  values: SearchValues,
  words: readonly string[],
): Promise<FoundPage> => {
  const all = { ...values, size: limits.searchSortedMax, skipped: 0 };
  const rows = await find(tools, all, words).catch(explainLate);
  return foundPage(rows, limits.searchSortedMax);
};

const sortFew = (
  { transactions, total, totalIsMinimum }: FoundPage,
  sort: Exclude<Sort, 'NEWEST'>,
  { skipped, size }: Pick<SearchValues, 'skipped' | 'size'>,
): FoundPage => {
  const most = limits.searchSortedMax.toLocaleString('en-GB');
  if (totalIsMinimum)
    throw badField('orderBy', `needs at most ${most} matches: narrow the dates or the search`);
  const sorted = transactions.toSorted(compare[sort]).slice(skipped, skipped + size);
  return { transactions: sorted, total, totalIsMinimum };
};

const byTime = (one: FoundTransaction, other: FoundTransaction): number =>
  one.created_at.getTime() - other.created_at.getTime();
const byAmount = (one: FoundTransaction, other: FoundTransaction): number =>
  Number(one.total_pence - other.total_pence) || byTime(one, other);

const compare = {
  OLDEST: byTime,
  LARGEST: (one: FoundTransaction, other: FoundTransaction) => byAmount(other, one),
  SMALLEST: byAmount,
} as const;

/** What all pages of a search hold, by status. */
export const addUpTransactions = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  { text, ...filter }: Omit<TransactionFilter, 'sort' | 'size' | 'skipped'>,
): Promise<{ readonly rows: readonly StatusTotal[]; readonly isMinimum: boolean }> => {
  const words = wordsOf(text, filter);
  if (words === null) return { rows: [], isMinimum: false };
  const values = { ...tenant, ...filter };
  if (words.length === 0 && !hasDetail(filter) && !filter.customerIds)
    return {
      rows: await tools.database.tenant(tenant.merchantId, addUpDays, values),
      isMinimum: false,
    };
  const found = await findAll(tools, { ...values, size: 0, skipped: 0 }, words);
  const statuses = [...new Set(found.transactions.map(({ status }) => status))].toSorted();
  const rows = statuses.map((status) => {
    const amounts = found.transactions
      .filter((each) => each.status === status)
      .map(({ total_pence }) => total_pence);
    const amount_pence = amounts.reduce((sum, amount) => sum + amount, 0n);
    return { status, items: BigInt(amounts.length), amount_pence };
  });
  return { rows, isMinimum: found.totalIsMinimum };
};

const find = (
  { database }: Uses<'database'>,
  values: SearchValues,
  words: readonly string[],
): Promise<SearchRow[]> => {
  const { merchantId } = values;
  if (values.customerIds)
    return database.tenant(merchantId, searchByCustomer, {
      ...values,
      ...textValues(words),
      maxCandidates: null,
    });
  if (words.length > 0) return findByText(database, values, words);
  if (hasDetail(values)) return findByDetail(database, values);
  return database.tenant(merchantId, values.statuses ? searchByDayAndStatus : searchByDay, values);
};

/** One amount is a word of its transactions. */
const exactAmount = ({ minPence, maxPence }: Details): readonly string[] =>
  minPence !== null && minPence === maxPence ? [poundsText(minPence)] : [];

type Details = Pick<SearchValues, 'minPence' | 'maxPence' | 'institutionIds'>;

const hasDetail = ({ minPence, maxPence, institutionIds }: Details): boolean =>
  [minPence, maxPence, institutionIds].some((each) => each !== null);

const nothing: FoundPage = { transactions: [], total: 0, totalIsMinimum: false };

const foundPage = (rows: readonly SearchRow[], maxTotal: number): FoundPage => {
  const total = Number(rows[0]?.total ?? 0);
  return {
    transactions: rows.flatMap((row) => (row.payment_request_id === null ? [] : [row])),
    total: Math.min(total, maxTotal),
    totalIsMinimum: total > maxTotal || rows[0]?.is_whole === false,
  };
};

const checkDepth = (skipped: number): void => {
  if (skipped < limits.searchMatchesMax) return;
  const filters = 'with a text, an amount or a bank';
  const message = `${filters} pages end at ${limits.searchMatchesMax} transactions: narrow the dates`;
  throw new Failure(failures.badRequest, {
    message: `Page is too far: ${message}.`,
    errors: [{ field: 'page', message }],
  });
};

const explainLate = (error: unknown): never => {
  if (!isTimeout(error)) throw error;
  throw new Failure(failures.unavailable, {
    message: 'This search takes too long. Narrow the dates or give more of the word, and retry.',
    retryAfterSeconds: 5,
  });
};
