import type { Database } from '#platform/database/open-database.ts';
import { statement } from '#platform/database/statement.ts';

/**
 * Adds up what changes have appended to the counts of a day. Whoever reads meanwhile reads all of the
 * old rows or the one new row; of two that fold at once, one finds the rows gone.
 */
const fold = statement<{ readonly most: number }, { readonly folded: bigint }>(
  'transaction_count_fold',
  `with due as materialized (
     select merchant_id, environment, day from transaction_count where not is_folded
     group by merchant_id, environment, day limit :most),
   gone as (
     delete from transaction_count c using due
     where c.merchant_id = due.merchant_id and c.environment = due.environment
       and c.day = due.day
     returning c.*),
   folded as (
     insert into transaction_count (merchant_id, environment, day, store_id, method, status, items,
       is_folded)
     select merchant_id, environment, day, store_id, method, status, sum(items), true from gone
     group by merchant_id, environment, day, store_id, method, status having sum(items) <> 0)
   select count(*) as folded from gone where not is_folded`,
);

/** How many rows were appended since; more days may be due where it is not nothing. */
export const foldCounts = async (database: Database, mostDays: number): Promise<number> => {
  const [row] = await database.system(fold, { most: mostDays });
  return Number(row?.folded ?? 0);
};
