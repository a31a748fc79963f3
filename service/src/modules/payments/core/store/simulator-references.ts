import type { Tenant } from '#kernel/environment.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { SimulatorReference } from '#rails/simulator-rail.ts';

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
