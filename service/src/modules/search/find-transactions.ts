import { failures, limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { poundsText } from '#kernel/pence.ts';
import { isTimeout } from '#platform/database/database-unavailable.ts';
import type { Uses } from '#platform/tools.ts';
import { findByDetail } from './find-by-detail.ts';
import { findByText } from './find-by-text.ts';
import { readSearchText, textValues } from './read-search-text.ts';
import { searchByDay, searchByDayAndStatus } from './store/search-by-day.ts';
import { searchByCustomer } from './store/search-candidates.ts';
import type { FoundTransaction, SearchRow, SearchValues } from './store/search-sql.ts';

export type TransactionFilter = Omit<SearchValues, keyof Tenant> & { readonly text: string };

export type FoundPage = {
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
  { text, ...filter }: TransactionFilter,
): Promise<FoundPage> => {
  const named = readSearchText(text);
  // Accents alone name no word, and so no transaction.
  if (named.length === 0 && text.trim() !== '') return nothing;
  const words = [...named, ...exactAmount(filter)];
  const isCounted = words.length === 0 && !hasDetail(filter);
  if (!isCounted) checkDepth(filter.skipped);
  const rows = await find(tools, { ...tenant, ...filter }, words).catch(explainLate);
  return foundPage(rows, isCounted ? Number.POSITIVE_INFINITY : limits.searchMatchesMax);
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
