import { sql } from '#platform/database/sql.ts';

/** How far the tenant's own time is ahead, for a statement with :merchantId and :environment. */
export const clockOffsetSql = sql(
  'merchantId',
  'environment',
)`coalesce((select t.offset_ms * interval '1 millisecond'
  from tenant_clock t
  where t.merchant_id = :merchantId and t.environment = :environment), interval '0')`;
