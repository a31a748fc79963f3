import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type FoldOrder = {
  readonly maxDays: number;
  /** Days with fewer rows wait. */
  readonly minRows: number;
};

/**
 * Sums up what changes have added to the counts of a day. A reader sees all old rows or the new
 * row; of two concurrent folds, one finds no rows.
 */
const fold = statement<FoldOrder, { readonly folded: bigint }>(
  'transaction_count_fold',
  sql('maxDays', 'minRows')`
   with due as materialized (
     select merchant_id, environment, day from transaction_count where not is_folded
     group by merchant_id, environment, day having count(*) >= :minRows limit :maxDays),
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
  { guardedBy: 'the deleted rows themselves: of two that fold a day, one finds them gone' },
);

/** Answers how many rows were folded; more days may be due if it is not zero. */
export const foldCounts = async (database: Database, order: FoldOrder): Promise<number> => {
  const [row] = await database.system(fold, order);
  return Number(row?.folded ?? 0);
};
