import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';

const count = statement<Tenant & { readonly accountKey: string }, { readonly open: bigint }>(
  'refund_count_at_account',
  sql('merchantId', 'environment', 'accountKey')`
   select count(*) as open from refund r
   join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = r.attempt_id and a.account_key = :accountKey
   where r.merchant_id = :merchantId and r.environment = :environment
     and r.status in ('INITIATED', 'PENDING') and r.method = 'CARD'`,
);

/** Of payments that were made with an account at the card processor. */
export const countOpenCardRefunds = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  accountKey: string,
): Promise<bigint> => {
  const [row] = await database.tenant(tenant.merchantId, count, { ...tenant, accountKey });
  return row?.open ?? 0n;
};
