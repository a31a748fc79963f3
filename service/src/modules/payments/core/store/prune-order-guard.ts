import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

const storedHours = 24;
const batchSize = 5_000;

/** Real time: after the clock was moved the row can be taken over anyway. */
const prune = statement<{ storedHours: number; limit: number }, { merchant_id: string }>(
  'card_charge_guard_prune',
  sql('storedHours', 'limit')`
   delete from card_charge_guard
   where (merchant_id, environment, customer_id, order_id, amount_pence) in (
     select merchant_id, environment, customer_id, order_id, amount_pence from card_charge_guard
     where written_at < now() - :storedHours * interval '1 hour' order by written_at limit :limit)
   returning merchant_id`,
  { guardedBy: 'deletes by age; a repeat finds nothing' },
);

export const pruneOrderGuard = async (database: Database): Promise<number> =>
  (await database.system(prune, { storedHours, limit: batchSize })).length;
