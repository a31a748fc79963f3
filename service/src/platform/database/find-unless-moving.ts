import type { Database } from './open-database.ts';
import { sql } from './sql.ts';
import { statement } from './statement.ts';

const requireInCell = statement<{ readonly merchantId: string }, { readonly is_here: boolean }>(
  'require_in_cell',
  sql('merchantId')`select require_in_cell(:merchantId::uuid, true) as is_here`,
);

const requireNoneHidden = statement<object, { readonly is_so: boolean }>(
  'require_none_hidden',
  sql()`select require_none_hidden() as is_so`,
);

/**
 * Work across merchants does not see rows of one that is being moved (service/migrations/0004_access.sql).
 * Looks, and where something is missing throws while this merchant is being moved (null: any merchant):
 * it may be there, and hidden.
 */
export const findUnlessMoving = async <Found>(
  database: Pick<Database, 'tenant' | 'system'>,
  merchantId: string | null,
  find: () => Promise<Found>,
  isWhole: (found: Found) => boolean,
): Promise<Found> => {
  const found = await find();
  if (isWhole(found)) return found;
  if (merchantId === null) await database.system(requireNoneHidden, {});
  else await database.tenant(merchantId, requireInCell, { merchantId });
  // A pause may have been lifted in between.
  return find();
};
