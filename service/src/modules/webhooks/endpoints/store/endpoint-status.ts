import type { EventType } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { type EndpointKey, isEndpoint } from './endpoints.ts';

export type EndpointStatusRow = {
  readonly endpoint_id: string;
  readonly url: string;
  readonly paused_at: Date | null;
  readonly missed_since: Date | null;
};

const returned = 'endpoint_id, url, paused_at, missed_since';

/**
 * Paused already: it stays as it is. It may miss what waits for it, created up to a day ago, and
 * what is being written at this moment with a slightly earlier time.
 */
export const pauseEndpoint = statement<EndpointKey, EndpointStatusRow>(
  'webhook_endpoint_pause',
  sql('merchantId', 'environment', 'endpointId')`
   with waiting as (
     select min(created_at) as since from delivery
     where merchant_id = :merchantId and environment = :environment
       and endpoint_id = :endpointId and state = 'PENDING'
   ), moment as (
     select business_now(:merchantId, :environment) as now
   )
   update webhook_endpoint e set
     paused_at = coalesce(e.paused_at, moment.now),
     missed_since = case when e.is_paused then e.missed_since
       else least(moment.now - interval '2 minutes', waiting.since) end,
     is_paused = true, version = e.version + 1
   from moment, waiting
   where e.merchant_id = :merchantId and e.environment = :environment
     and e.endpoint_id = :endpointId and e.deleted_at is null
   returning ${returned}`,
  { guardedBy: 'one row; a pause of a paused endpoint keeps its time' },
);

export const resumeEndpoint = statement<EndpointKey, EndpointStatusRow>(
  'webhook_endpoint_resume',
  sql()`
   update webhook_endpoint set paused_at = null, is_paused = false, version = version + 1
   where ${isEndpoint} and deleted_at is null
   returning ${returned}`,
  { guardedBy: 'one row; a repeat changes nothing but the version' },
);

export const readEndpointStatus = statement<EndpointKey, EndpointStatusRow>(
  'webhook_endpoint_status',
  sql()`select ${returned} from webhook_endpoint where ${isEndpoint} and deleted_at is null`,
);

/** Of both versions. */
export const listEndpointStatuses = statement<
  Tenant,
  EndpointStatusRow & { readonly events: readonly EventType[] }
>(
  'webhook_endpoint_statuses',
  sql('merchantId', 'environment')`
   select ${returned}, array(select s.event_type from subscription s
       where s.merchant_id = :merchantId and s.environment = :environment
         and s.endpoint_id = e.endpoint_id order by s.event_type) as events
   from webhook_endpoint e
   where e.merchant_id = :merchantId and e.environment = :environment and e.deleted_at is null
   order by e.created_at, e.endpoint_id`,
);
