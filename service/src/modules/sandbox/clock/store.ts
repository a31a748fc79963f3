import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type TenantValues = { readonly merchantId: string; readonly environment: Environment };

export type ClockRow = { readonly offset_ms: bigint; readonly now: Date };

const clockColumns = `offset_ms,
  date_trunc('milliseconds', clock_timestamp()) + offset_ms * interval '1 millisecond' as now`;

export const readClock = statement<TenantValues, ClockRow>(
  'tenant_clock_read',
  sql('merchantId', 'environment')`
   select ${clockColumns} from tenant_clock
   where merchant_id = :merchantId and environment = :environment`,
);

/** Never back. */
export const moveClock = statement<TenantValues & { readonly toOffsetMs: bigint }, ClockRow>(
  'tenant_clock_move',
  sql('toOffsetMs', 'merchantId', 'environment')`
   update tenant_clock set offset_ms = greatest(offset_ms, :toOffsetMs::bigint)
   where merchant_id = :merchantId and environment = :environment
   returning ${clockColumns}`,
  { guardedBy: 'greatest(): the clock never goes back' },
);
