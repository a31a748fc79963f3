import { limits } from '@florin/contract';
import type { Database } from '#platform/database/open-database.ts';
import { searchByDetail, searchByDetailAndStatus } from './store/search-by-detail.ts';
import type { SearchRow, SearchValues } from './store/search-sql.ts';

const steps = [limits.searchMatchesMax, limits.searchReadMax];

/**
 * By amount or bank, which no index has: the newest are read, more of them if a page is not full.
 * Nothing is read beyond, so that a rare match costs no more than a frequent one.
 */
export const findByDetail = async (
  database: Database,
  values: SearchValues,
): Promise<SearchRow[]> => {
  const by = values.statuses ? searchByDetailAndStatus : searchByDetail;
  let rows: SearchRow[] = [];
  for (const maxCandidates of steps) {
    rows = await database.tenant(values.merchantId, by, { ...values, maxCandidates });
    const [row] = rows;
    if (row && (row.is_whole || row.total >= values.skipped + values.size)) return rows;
  }
  return rows;
};
