import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export const readBusinessNow = statement<Tenant, { readonly now: Date }>(
  'desk_business_now',
  sql('merchantId', 'environment')`select business_now(:merchantId, :environment) as now`,
);
