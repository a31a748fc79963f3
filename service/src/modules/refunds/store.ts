import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { Uses } from '#platform/tools.ts';

// What waits for money or an account has no time of its own.
export const nextDue = statement<Tenant & { readonly after: Date }, { due_at: Date | null }>(
  'refund_tenant_next_due',
  sql('merchantId', 'environment', 'after')`
   select min(due_business_at) as due_at from refund
   where merchant_id = :merchantId and environment = :environment
     and step = 'HANDED_OVER' and due_at is not null and due_business_at > :after`,
);

export const recomputeDue = statement<Tenant, never>(
  'refund_tenant_recompute',
  sql('merchantId', 'environment')`
   update refund r
   set due_at = r.due_business_at - clock_offset(:merchantId::uuid, :environment::text)
   where r.merchant_id = :merchantId and r.environment = :environment and r.due_at is not null
     and r.due_at <> r.due_business_at - clock_offset(:merchantId::uuid, :environment::text)`,
  { guardedBy: 'derives from the business time, so a repeat changes nothing; leases stay' },
);

/** Payments whose refunds the simulated card processor may still report on, later failures included. */
export const listOpenCardRefunds = statement<Tenant, { readonly rail_reference: string }>(
  'refund_open_card_refunds',
  sql('merchantId', 'environment')`
   select a.rail_reference from refund r
   join attempt a on a.merchant_id = :merchantId and a.environment = :environment
     and a.attempt_id = r.attempt_id and a.rail_reference is not null
   where r.merchant_id = :merchantId and r.environment = :environment and r.method = 'CARD'
     and r.status in ('PENDING', 'COMPLETED')
   group by a.rail_reference order by max(r.updated_at) desc limit 500`,
);

/** Transfers that the simulated hub may still report on, returns included. */
export const listOpenTransfers = statement<Tenant, { readonly end_to_end_id: string }>(
  'refund_open_transfers',
  sql('merchantId', 'environment')`
   select end_to_end_id from refund
   where merchant_id = :merchantId and environment = :environment and end_to_end_id is not null
     and status in ('PENDING', 'COMPLETED') order by updated_at desc limit 500`,
);

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
