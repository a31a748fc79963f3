import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export const listUnconfirmedEpochs = statement<object, { readonly epoch: number }>(
  'cluster_epoch_unconfirmed',
  sql()`select epoch from cluster_epoch where confirmed_at is null order by epoch`,
);

export const confirmEpochs = statement<
  { readonly actor: string; readonly epochs: readonly number[] },
  { readonly epoch: number; readonly began_at: Date }
>(
  'cluster_epoch_confirm',
  sql('actor', 'epochs')`
   update cluster_epoch set confirmed_at = clock_timestamp(), confirmed_by = :actor
   where confirmed_at is null and epoch = any(:epochs::int[]) returning epoch, began_at`,
  { guardedBy: 'confirmed_at: an epoch is confirmed once' },
);

/** When the last event was written before the first epoch that nobody has confirmed; null: there is none. */
export const readLastWritten = statement<object, { readonly written_at: Date | null }>(
  'cluster_epoch_last_written',
  sql()`
   select max(e.written_at) as written_at from event e
   where e.written_at < (select min(began_at) from cluster_epoch where confirmed_at is null)`,
  { readsWholeTables: true },
);
