import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';

type Counted = { readonly open: bigint; readonly completed: bigint };

/** For the operator, before keys are removed. */
const count = statement<Tenant & { readonly accountKey: string }, Counted>(
  'card_payment_count_at_account',
  sql('merchantId', 'environment', 'accountKey')`
   select count(*) filter (where status in ('AWAITING_AUTHORIZATION', 'PENDING', 'AUTHORIZED')
       or step in ('PAID_TOO_LATE', 'REFUNDING_LATE')) as open,
     count(*) filter (where status = 'COMPLETED') as completed
   from attempt
   where merchant_id = :merchantId and environment = :environment
     and account_key = :accountKey`,
  { readsWholeTables: true },
);

/** What was made with an account at the processor: open, and completed. */
export const countCardPayments = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  accountKey: string,
): Promise<Counted> => {
  const [row] = await database.tenant(tenant.merchantId, count, { ...tenant, accountKey });
  return row ?? { open: 0n, completed: 0n };
};
