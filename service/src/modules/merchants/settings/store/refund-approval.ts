import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export const updateRefundApproval = statement<
  Tenant & { readonly abovePence: string | null },
  never
>(
  'merchant_refund_approval_update',
  sql('abovePence', 'merchantId', 'environment')`
   update merchant_switch set refund_approval_above_pence = :abovePence::bigint
   where merchant_id = :merchantId and environment = :environment`,
  { guardedBy: 'primary key (merchant, environment): the later write wins' },
);
