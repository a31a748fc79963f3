import type { Tenant } from '#kernel/environment.ts';
import { retryDeadlock } from '#platform/database/database-unavailable.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { SimulatorReference } from '#rails/simulator-rail.ts';

type TenantValues = { readonly merchantId: string; readonly environment: string };

const next = statement<TenantValues & { after: Date }, { due_at: Date | null }>(
  'payment_tenant_next_due',
  sql('merchantId', 'environment', 'after')`
   select least(
     (select min(r.expires_business_at) from payment_request r
       where r.merchant_id = :merchantId and r.environment = :environment
         and r.status = 'OPEN' and r.live_attempt_count = 0
         and r.expires_business_at > :after),
     (select min(a.authorise_by_business) from attempt a
       where a.merchant_id = :merchantId and a.environment = :environment
         and a.status = 'AWAITING_AUTHORIZATION' and a.authorise_by_business > :after),
     (select min(p.poll_business_at) from attempt_poll p
       where p.merchant_id = :merchantId and p.environment = :environment
         and p.poll_business_at > :after),
     (select min(a.capture_business_at) from attempt a
       where a.merchant_id = :merchantId and a.environment = :environment
         and a.capture_at is not null and a.capture_business_at > :after)) as due_at`,
);

// The tenant's time is the truth; the real instants are derived again, never added to. Requests
// before attempts, as every change of a payment locks them. Changes that are written together lock
// several requests in their own order: after a deadlock one is retried.
const recompute = statement<TenantValues, never>(
  'payment_tenant_recompute',
  sql('merchantId', 'environment')`
   with tenant as materialized (select clock_offset(:merchantId, :environment) as moved),
   requests as (
     update payment_request r set expires_at = r.expires_business_at - tenant.moved
     from tenant
     where r.merchant_id = :merchantId and r.environment = :environment and r.status = 'OPEN'
       and r.expires_at <> r.expires_business_at - tenant.moved
     returning 1),
   done as materialized (select count(*) from requests),
   polls as (
     update attempt_poll p set poll_at = p.poll_business_at - tenant.moved,
       watch_from = p.poll_business_at - tenant.moved,
       -- who moves the clock makes the polls of banks, also those that another program keeps
       leased_until = case when p.method = 'CARD' then p.leased_until end
     from tenant
     where p.merchant_id = :merchantId and p.environment = :environment
       and p.poll_at <> p.poll_business_at - tenant.moved
     returning 1)
   update attempt a set authorise_by = a.authorise_by_business - tenant.moved,
     capture_at = case when a.capture_at is not null then a.capture_business_at - tenant.moved end
   from tenant, done
   where a.merchant_id = :merchantId and a.environment = :environment
     and (a.status = 'AWAITING_AUTHORIZATION' or a.capture_at is not null)
     and (a.authorise_by <> a.authorise_by_business - tenant.moved
       or a.capture_at <> a.capture_business_at - tenant.moved)`,
  {
    guardedBy:
      'derives from the business times, so a repeat changes nothing; deadlocks are retried',
  },
);

export const tenantDue = (database: Database) => ({
  next: async (tenant: Tenant, after: Date): Promise<Date | null> => {
    const [row] = await database.tenant(tenant.merchantId, next, { ...tenant, after });
    return row?.due_at ?? null;
  },
  recompute: async (tenant: Tenant): Promise<void> => {
    await retryDeadlock(() => database.tenant(tenant.merchantId, recompute, tenant));
  },
});

// What a rail may still report on: open attempts, those that are still polled, undecided disputes, and
// refunds made at the processor or of late payments, which may fail for some weeks.
const openReferences = statement<{ merchantId: string; environment: string }, SimulatorReference>(
  'payment_simulator_references',
  sql('merchantId', 'environment')`
   with clock as materialized (
     select business_now(:merchantId::uuid, :environment::text) as now)
   select case a.method when 'CARD' then 'CARD_PAYMENT' else 'BANK_CONSENT' end as kind,
     a.rail_reference as id
   from attempt a cross join clock
   where a.merchant_id = :merchantId and a.environment = :environment
     and a.rail_reference is not null
     and (exists (select from attempt_poll p where p.merchant_id = :merchantId
         and p.environment = :environment and p.attempt_id = a.attempt_id)
       or a.status in ('AWAITING_AUTHORIZATION', 'PENDING', 'AUTHORIZED')
       or a.disputes @> '[{"status": "OPEN"}]'
       or (a.refunds is not null or a.ended_reason = 'REFUNDED_LATE')
         and a.updated_at > clock.now - interval '30 days')`,
);

export const simulatorReferences = (
  database: Database,
  tenant: Tenant,
): Promise<readonly SimulatorReference[]> =>
  database.tenant(tenant.merchantId, openReferences, tenant);
