import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';

const count = statement<Tenant & { readonly accountKey: string }, { readonly open: bigint }>(
  'card_count_open_detachments',
  sql('merchantId', 'environment', 'accountKey')`
   select count(*) as open from card_detachment
   where merchant_id = :merchantId and environment = :environment
     and account_key = :accountKey and done_at is null`,
  { readsWholeTables: true },
);

export const countOpenDetachments = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  accountKey: string,
): Promise<bigint> => {
  const [row] = await database.tenant(tenant.merchantId, count, { ...tenant, accountKey });
  return row?.open ?? 0n;
};
