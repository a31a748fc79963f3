import type { EventType } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { type EmitValues, emitEventsCtes, emittedEndpoints } from '#modules/events/index.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

export const readTenantTime = statement<
  { readonly merchantId: string; readonly environment: Environment },
  { readonly now: Date }
>(
  'webhook_tenant_time',
  sql('merchantId', 'environment')`select business_now(:merchantId, :environment) as now`,
);

export const findEvent = statement<
  { readonly merchantId: string; readonly environment: Environment; readonly eventId: string },
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
