import { limits } from '@florin/contract';
import { poundsText } from '#kernel/money.ts';
import { searchWords } from '#kernel/search-words.ts';
import { chosenStoreSql } from '#modules/merchants/index.ts';
import type { Database } from '#platform/database/open-database.ts';
import { statement } from '#platform/database/statement.ts';
import type { Caller, IdempotencyKey } from '#platform/http/route.ts';
import { keptFacts } from '../cards/attempt-card.ts';
import type { ChargeDraft } from '../cards/draft-charge.ts';
import { cardInstitution } from '../cards/new-card-attempt.ts';
import { chargeLeaseMs } from '../cards/send-charges.ts';
import { partColumns, partsOf, settingColumns, settingJoin } from './amount-part-sql.ts';
import { searchableCtes } from './search-ctes.ts';

export type Inserted = {
  readonly store_found: boolean;
  readonly cards_enabled: boolean;
  readonly limit_pence: bigint;
  readonly is_duplicate: boolean;
  readonly inserted: boolean;
  readonly created_at: Date;
  readonly expires_at: Date | null;
};

/**
 * The charge and all that is found by it, in one statement: request, attempt (leased to whoever sends
 * it), directory, history, what search reads, the order guard and the Idempotency-Key with its reply.
 */
const insert = statement<Values, Inserted>(
  'card_charge_insert',
  `with tenant as materialized (
     select date_trunc('milliseconds', clock_timestamp()) + c.moved as now, c.moved,
       m.payment_limit_pence as limit_pence, m.business_name, w.cards_enabled, w.orders_guarded,
       ${settingColumns}
     from merchant m
     join merchant_switch w on w.merchant_id = :merchantId and w.environment = :environment
     cross join lateral (select clock_offset(:merchantId, :environment) as moved) c
     ${settingJoin}
     where m.merchant_id = :merchantId),
   chosen_store as (select s.store_id from store s where ${chosenStoreSql}),
   allowed as materialized (
     select tenant.*, chosen_store.store_id,
       tenant.now + :expiresInMs::bigint * interval '1 millisecond' as expires_at
     from tenant, chosen_store
     where :amountPence::bigint <= tenant.limit_pence and tenant.cards_enabled),
   claimed as (
     insert into idempotency (merchant_id, environment, operation, idempotency_key, body_sha256,
       status_code, reply)
     select :merchantId, :environment, 'chargeCard', :idempotencyKey, :bodySha256, 200,
       :replyStart || to_char(allowed.now, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
         || coalesce(:replyMiddle || to_char(allowed.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '')
         || :replyEnd
     from allowed where :idempotencyKey::text is not null
     on conflict do nothing returning 1),
   fresh as materialized (
     select allowed.* from allowed
     where :idempotencyKey::text is null or exists (select from claimed)),
   guarded as (
     insert into card_charge_guard as g (merchant_id, environment, customer_id, order_id,
       amount_pence, payment_request_id, charged_at)
     select :merchantId, :environment, :customerId::uuid, :orderId, :amountPence::bigint,
       :paymentRequestId::uuid, fresh.now
     from fresh where fresh.orders_guarded
     on conflict (merchant_id, environment, customer_id, order_id, amount_pence) do update
       set payment_request_id = excluded.payment_request_id, charged_at = excluded.charged_at,
         written_at = now()
       where :idempotencyKey::text is not null
         or g.charged_at <= excluded.charged_at - :guardedMs::bigint * interval '1 millisecond'
     returning 1),
   request as (
     insert into payment_request (merchant_id, environment, payment_request_id, kind,
       merchant_customer_reference, order_id, amount_pence, committed_pence, store_id, customer_id,
       secret_id, payment_methods, notes, tips_enabled, retry_allowed, expires_in_ms,
       expires_business_at, expires_at, live_attempt_count, created_at, updated_at,
       ${partColumns})
     select :merchantId, :environment, :paymentRequestId::uuid, 'CARD_CHARGE', :customerId::text,
       :orderId, :amountPence::bigint, :amountPence::bigint, fresh.store_id, :customerId::uuid,
       :secretId, array['CARD'], :notes, false, false, :openMs::bigint,
       fresh.now + :openMs::bigint * interval '1 millisecond',
       fresh.now + :openMs::bigint * interval '1 millisecond' - fresh.moved, 1, fresh.now, fresh.now,
       ${partsOf('fresh')}
     from fresh where not fresh.orders_guarded or exists (select from guarded)
     returning payment_request_id),
   attempt as (
     insert into attempt (merchant_id, environment, attempt_id, payment_request_id, position,
       payment_idempotency_id, method, status, step, institution_id, amount_pence, creditor,
       settles_to, rail_state_encrypted, consumer_name, authorise_by_business, authorise_by,
       poll_business_at, poll_at, leased_until, submitted_at, card_id, capture_type, initiator,
       card_facts, authorisation_expires_business_at, authorisation_expiry_source, created_at,
       updated_at)
     select :merchantId, :environment, :attemptId::uuid, request.payment_request_id, 1,
       :paymentIdempotencyId, 'CARD', 'PENDING', 'CHARGING', '${cardInstitution}',
       :amountPence::bigint,
       jsonb_build_object('name', fresh.business_name, 'sortCode', '', 'accountNumber', ''),
       'PROCESSOR', :railStateEncrypted, :consumerName, fresh.now, fresh.now - fresh.moved,
       fresh.now, fresh.now - fresh.moved,
       clock_timestamp() + ${chargeLeaseMs} * interval '1 millisecond', fresh.now, :cardId::uuid,
       :captureType, 'MERCHANT', :facts::jsonb, fresh.expires_at,
       case when fresh.expires_at is not null then 'TABLE' end, fresh.now, fresh.now
     from fresh, request),
   directory as (
     insert into public_id (public_id, kind, merchant_id, environment, target_id)
     select d.public_id, d.kind, :merchantId, :environment, request.payment_request_id
     from request, (values (:paymentRequestId::text, 'PAYMENT_REQUEST'),
       (:paymentIdempotencyId::text, 'ATTEMPT')) as d (public_id, kind)),
   history as (
     insert into payment_history (merchant_id, environment, payment_request_id, version, position,
       subject, subject_id, from_status, to_status, trigger, detail, occurred_at)
     select :merchantId, :environment, request.payment_request_id, 1, 0, 'ATTEMPT',
       :attemptId::uuid, null, 'PENDING', 'started', :captureType, fresh.now
     from fresh, request),
   searchable as materialized (
     select 1 as position, fresh.now as created_at, 'PENDING' as status, null::text as before,
       'CARD' as method, :amountPence::bigint as total_pence, :words::text[] as words,
       null::text[] as words_before, :newWords::jsonb as new_words, fresh.store_id,
       :customerId::uuid as customer_id
     from fresh, request),
   ${searchableCtes}
   select exists (select from chosen_store) as store_found, tenant.cards_enabled,
     tenant.limit_pence, exists (select from request) as inserted,
     exists (select from fresh where fresh.orders_guarded and not exists (select from guarded))
       as is_duplicate, tenant.now as created_at,
     (select allowed.expires_at from allowed) as expires_at
   from tenant`,
);

type Values = {
  readonly merchantId: string;
  readonly environment: string;
  readonly paymentRequestId: string;
  readonly attemptId: string;
  readonly paymentIdempotencyId: string;
  readonly secretId: string;
  readonly customerId: string;
  readonly cardId: string;
  readonly storeId: string | null;
  readonly orderId: string;
  readonly amountPence: bigint;
  readonly captureType: string;
  readonly notes: string | null;
  readonly facts: string;
  readonly consumerName: string | null;
  readonly railStateEncrypted: Buffer;
  readonly expiresInMs: number | null;
  readonly openMs: number;
  readonly guardedMs: number;
  readonly words: readonly string[];
  readonly newWords: string;
  readonly idempotencyKey: string | null;
  readonly bodySha256: Buffer | null;
  readonly replyStart: string;
  readonly replyMiddle: string;
  readonly replyEnd: string;
};

export const insertCharge = async (
  database: Database,
  { tenant, secretId }: Caller,
  draft: ChargeDraft,
  key: IdempotencyKey | null,
): Promise<Inserted | undefined> => {
  const { card, orderId, amountPence } = draft;
  const words = searchWords(orderId, poundsText(amountPence), card.cardholderName ?? '');
  const [row] = await database.tenant(tenant.merchantId, insert, {
    ...tenant,
    ...draft,
    secretId,
    cardId: card.cardId,
    facts: JSON.stringify(keptFacts(card)),
    consumerName: card.cardholderName,
    openMs: limits.expiresInMsMax,
    guardedMs: limits.orderGuardMs,
    words: words.map(({ word }) => word),
    newWords: JSON.stringify(words),
    idempotencyKey: key?.key ?? null,
    bodySha256: key?.bodySha256 ?? null,
    // The database tells the two times, which stand last.
    replyStart: `${JSON.stringify(draft.reply).slice(0, -1)},"createdAt":"`,
    replyMiddle: '","expiresAt":"',
    replyEnd: '"}',
  });
  return row;
};
