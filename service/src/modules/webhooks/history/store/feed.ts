import type { EventType } from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type TenantValues = { readonly merchantId: string; readonly environment: Environment };

export type FeedRow = {
  readonly written_in: string;
  readonly event_id: string;
  readonly event_type: EventType;
  readonly resource_id: string;
  readonly sequence: number;
  readonly is_test: boolean;
  readonly occurred_at: Date;
  readonly body: string | null;
};

// Below the oldest open transaction only: one that began earlier and commits later is never missed,
// because none of its events can be before a cursor that was handed out.
export const readEvents = statement<
  TenantValues & {
    readonly writtenIn: string;
    readonly eventId: string;
    readonly limit: number;
  },
  FeedRow
>(
  'event_feed',
  sql('merchantId', 'environment', 'writtenIn', 'eventId', 'limit')`
   select e.written_in::text, e.event_id, e.event_type, e.resource_id, e.sequence, e.is_test,
     e.occurred_at, b.body
   from event e
   left join event_body b on b.merchant_id = e.merchant_id and b.environment = e.environment
     and b.event_id = e.event_id and b.written_at = e.written_at
   where e.merchant_id = :merchantId and e.environment = :environment
     and (e.written_in, e.event_id) > (:writtenIn::xid8, :eventId::uuid)
     and e.written_in < written_horizon()
   order by e.written_in, e.event_id limit :limit`,
);

/** The cursor of a reader that wants only future events. */
export const readFeedEnd = statement<Record<never, never>, { readonly written_in: string }>(
  'event_feed_end',
  sql()`select written_horizon()::text as written_in`,
);
