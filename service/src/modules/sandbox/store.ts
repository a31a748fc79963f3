import type { EventType } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { type EmitValues, emitEventsCtes, emittedEndpoints } from '#modules/events/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export type ClockRow = { readonly offset_ms: bigint; readonly now: Date };

const clockColumns = `offset_ms,
  date_trunc('milliseconds', clock_timestamp()) + offset_ms * interval '1 millisecond' as now`;

export const readClock = statement<Tenant, ClockRow>(
  'tenant_clock_read',
  sql('merchantId', 'environment')`
   select ${clockColumns} from tenant_clock
   where merchant_id = :merchantId and environment = :environment`,
);

/** Never back. */
export const moveClock = statement<Tenant & { readonly toOffsetMs: bigint }, ClockRow>(
  'tenant_clock_move',
  sql('toOffsetMs', 'merchantId', 'environment')`
   update tenant_clock set offset_ms = greatest(offset_ms, :toOffsetMs::bigint)
   where merchant_id = :merchantId and environment = :environment
   returning ${clockColumns}`,
  { guardedBy: 'greatest(): the clock never goes back' },
);

export const findEvent = statement<
  Tenant & { readonly eventId: string },
  { readonly event_id: string }
>(
  'webhook_test_find',
  sql('merchantId', 'environment', 'eventId')`
   select event_id from event where merchant_id = :merchantId and environment = :environment
     and event_id = :eventId::uuid limit 1`,
);

/** No row when no active endpoint is subscribed to the event type. */
export const emitTestEvent = statement<
  EmitValues & { readonly eventType: EventType },
  { readonly endpoints: readonly string[] }
>(
  'webhook_test_emit',
  sql('merchantId', 'environment', 'eventType')`
   with subscribed as (
     select from subscription
     where merchant_id = :merchantId and environment = :environment and event_type = :eventType
       and not is_paused
     limit 1
   ), ${emitEventsCtes('subscribed')}
   select ${emittedEndpoints} as endpoints from subscribed`,
  { guardedBy: 'primary key of the event and unique dedupe_key of its resource' },
);
