import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type TenantValues = { readonly merchantId: string; readonly environment: Environment };

export const nextTenantDelivery = statement<
  TenantValues & { readonly after: Date },
  { readonly next: Date | null }
>(
  'delivery_tenant_next',
  sql('merchantId', 'environment', 'after')`
   select min(n.due_business_at) as next
   from webhook_endpoint w cross join lateral (
     select d.due_business_at from delivery d
     where d.merchant_id = :merchantId and d.environment = :environment
       and d.endpoint_id = w.endpoint_id and d.state = 'PENDING'
       and d.due_business_at > :after
     order by d.due_at limit 1) n
   where w.merchant_id = :merchantId and w.environment = :environment`,
);

/** From the tenant's time, which is the truth; rows held by a worker are left alone. */
export const recomputeTenantDeliveries = statement<TenantValues, never>(
  'delivery_tenant_recompute',
  sql('merchantId', 'environment')`
   with moved as materialized (
     select clock_offset(:merchantId, :environment) as offset_by
   )
   update delivery d set due_at = d.due_business_at - moved.offset_by
   from moved, webhook_endpoint w
   where w.merchant_id = :merchantId and w.environment = :environment
     and d.merchant_id = :merchantId and d.environment = :environment
     and d.endpoint_id = w.endpoint_id and d.state = 'PENDING'
     and d.due_at <> d.due_business_at - moved.offset_by`,
  { guardedBy: 'derives from the business time, so a repeat changes nothing; leases stay' },
);

export const tenantEndpointsDue = statement<TenantValues, { readonly endpoint_id: string }>(
  'delivery_tenant_due',
  sql('merchantId', 'environment')`
   select w.endpoint_id from webhook_endpoint w
   where w.merchant_id = :merchantId and w.environment = :environment
     and exists (select from delivery d
       where d.merchant_id = :merchantId and d.environment = :environment
         and d.endpoint_id = w.endpoint_id and d.state = 'PENDING' and d.due_at <= now())`,
);
