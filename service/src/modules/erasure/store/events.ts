import type { Environment } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';

type TenantValues = { readonly merchantId: string; readonly environment: Environment };

export type BodyRow = {
  readonly event_id: string;
  readonly written_at: string;
  readonly body: string;
};

/**
 * The first event of a payment is written with its history, a late report of the bank some weeks after
 * the last entry: these times lead to the partitions.
 */
export const listEventBodies = statement<
  TenantValues & { readonly ids: readonly string[]; readonly refundIds: readonly string[] },
  BodyRow
>(
  'erasure_event_bodies',
  sql('merchantId', 'environment', 'ids', 'refundIds')`
   with written as materialized (
     select written_at from payment_history
     where merchant_id = :merchantId and environment = :environment
       and payment_request_id = any(:ids::uuid[])
     union all
     select written_at from refund_history
     where merchant_id = :merchantId and environment = :environment
       and refund_id = any(:refundIds::uuid[]))
   select b.event_id, b.written_at::text, b.body
   from event e
   join event_body b on b.merchant_id = e.merchant_id and b.environment = e.environment
     and b.event_id = e.event_id and b.written_at = e.written_at
   where e.merchant_id = :merchantId and e.environment = :environment
     and e.resource_id = any(:ids::uuid[] || :refundIds::uuid[])
     and e.written_at >= (select min(written_at) from written)
     and e.written_at <= (select max(written_at) + interval '40 days' from written)`,
  { readsWholeTables: true },
);

/** With what receivers answered to it. */
export const eraseEventBodies = statement<TenantValues & { readonly bodies: string }, never>(
  'erasure_event_body',
  sql('merchantId', 'environment', 'bodies')`
   with masked as materialized (
     select * from jsonb_to_recordset(:bodies::jsonb)
       as m (event_id uuid, written_at timestamptz, body text)
   ), deliveries as (
     update delivery d set last_error = null from masked
     where d.merchant_id = :merchantId and d.environment = :environment
       and d.event_id = masked.event_id and d.event_written_at = masked.written_at
     returning d.delivery_id
   ), answers as (
     update webhook_attempt a set detail = null, response_headers = null, response_body = null
     where a.merchant_id = :merchantId and a.environment = :environment
       and a.delivery_id in (select delivery_id from deliveries)
   )
   update event_body b set body = masked.body from masked
   where b.merchant_id = :merchantId and b.environment = :environment
     and b.event_id = masked.event_id and b.written_at = masked.written_at`,
  { guardedBy: 'a repeat changes nothing' },
);

export type ReplyRow = {
  readonly operation: string;
  readonly idempotency_key: string;
  readonly written_at: string;
  readonly reply: string;
};

/** Replies stored for an Idempotency-Key: they live for three days. */
export const listSavedReplies = statement<
  TenantValues & { readonly ids: readonly string[] },
  ReplyRow
>(
  'erasure_saved_replies',
  sql('merchantId', 'environment', 'ids')`
   select i.operation, i.idempotency_key, i.written_at::text, i.reply from idempotency i
   where i.merchant_id = :merchantId and i.environment = :environment
     and exists (select from unnest(:ids::text[]) as k (id) where strpos(i.reply, k.id) > 0)`,
  { readsWholeTables: true },
);

export const eraseSavedReplies = statement<TenantValues & { readonly replies: string }, never>(
  'erasure_saved_reply',
  sql('merchantId', 'environment', 'replies')`
   update idempotency i set reply = m.reply
   from jsonb_to_recordset(:replies::jsonb)
     as m (operation text, idempotency_key text, written_at timestamptz, reply text)
   where i.merchant_id = :merchantId and i.environment = :environment
     and i.operation = m.operation and i.idempotency_key = m.idempotency_key
     and i.written_at = m.written_at`,
  { guardedBy: 'a repeat changes nothing' },
);
