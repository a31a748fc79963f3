import type { Environment } from '#kernel/environment.ts';
import { statement } from '#platform/database/statement.ts';

type TenantValues = { readonly merchantId: string; readonly environment: Environment };

export type ClockRow = { readonly offset_ms: bigint; readonly now: Date };

const clockColumns = `offset_ms,
  date_trunc('milliseconds', clock_timestamp()) + offset_ms * interval '1 millisecond' as now`;

export const readClock = statement<TenantValues, ClockRow>(
  'tenant_clock_read',
  `select ${clockColumns} from tenant_clock
   where merchant_id = :merchantId and environment = :environment`,
);

/** On to the instant, if there is one before the last offset; never past it and never back. */
export const moveClock = statement<
  TenantValues & { readonly toOffsetMs: bigint; readonly instant: Date | null },
  ClockRow
>(
  'tenant_clock_move',
  `update tenant_clock set offset_ms = greatest(offset_ms, least(:toOffsetMs::bigint,
     ceil(extract(epoch from :instant::timestamptz - date_trunc('milliseconds', clock_timestamp()))
       * 1000)::bigint))
   where merchant_id = :merchantId and environment = :environment
   returning ${clockColumns}`,
);
