import { limits } from '@florin/contract';
import { poundsText } from '#kernel/pence.ts';
import { liveCardsCte } from '#modules/cards/index.ts';
import { chosenStoreSql, clockOffsetSql } from '#modules/merchants/index.ts';
import { joinWords, searchableCtes, searchWords } from '#modules/search/index.ts';
import type { BatchStatement, Scope } from '#platform/database/batch-statement.ts';
import { insertOrFind } from '#platform/database/insert-or-find.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { bytesToHex, statement } from '#platform/database/statement.ts';
import type { Caller, IdempotencyKey } from '#platform/http/route.ts';
import { savedCardFacts } from '../../core/payment.ts';
import { pollColumns } from '../../core/store/next-poll.ts';
import {
  partColumns,
  partsOf,
  settingColumns,
  settingJoin,
} from '../../core/store/request-columns.ts';
import { unknownPayment } from '../../requests/store.ts';
import { cardInstitution } from '../attempts.ts';
import type { ChargeDraft } from '../charges.ts';

export type Inserted = {
  readonly item: number;
  readonly store_found: boolean;
  readonly cards_enabled: boolean;
  readonly is_suspended: boolean;
  readonly card_is_live: boolean;
  readonly limit_pence: bigint;
  readonly is_duplicate: boolean;
  readonly inserted: boolean;
  readonly created_at: Date;
  readonly expires_at: Date | null;
};

type Values = { readonly charges: string; readonly cardIds: readonly string[] };

const chargeColumns = `item int, payment_request_id uuid, attempt_id uuid,
  payment_idempotency_id text, secret_id uuid, customer_id uuid, card_id uuid, store_id uuid,
  order_id text, amount_pence bigint, capture_type text, account_key text, notes text, facts jsonb,
  consumer_name text, rail_state_encrypted bytea, expires_in_ms bigint, words text,
  new_words jsonb, request_id uuid, traceparent text,
  idempotency_key text, body_sha256 bytea, reply_start text, reply_middle text,
  reply_end text`;

const isoTime = (time: string) => `to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const openInterval = `${limits.expiresInMsMax} * interval '1 millisecond'`;
/** Until then no other worker polls a charge: the row is inserted with this lease. */
const chargeLeaseMs = 60_000;

/**
 * Charges and all that is found by them, in one statement: request, attempt (leased to the sender that sends
 * it), directory, history, what search reads, the order guard and the Idempotency-Key with its reply.
 */
const insert = statement<Values & Scope, Inserted>(
  'card_charge_insert',
  sql('charges', 'merchantId', 'environment')`
   with charge as materialized (
     select * from jsonb_to_recordset(:charges::jsonb) as c (${chargeColumns})
     order by idempotency_key, payment_request_id),
   ${liveCardsCte},
   tenant as materialized (
     select date_trunc('milliseconds', clock_timestamp()) + c.moved as now, c.moved,
       m.payment_limit_pence as limit_pence, m.business_name, w.cards_enabled, w.orders_guarded,
       w.suspension_id is not null as is_suspended,
       ${settingColumns}
     from merchant m
     join merchant_switch w on w.merchant_id = :merchantId and w.environment = :environment
     cross join (select ${clockOffsetSql} as moved) c
     ${settingJoin}
     where m.merchant_id = :merchantId),
   placed as materialized (
     select charge.*, tenant.now, tenant.moved, tenant.limit_pence, tenant.business_name,
       tenant.cards_enabled, tenant.orders_guarded, tenant.is_suspended, tenant.tax,
       tenant.service,
       charge.card_id in (select k.card_id from live_card k) as card_is_live,
       (select s.store_id from store s where ${chosenStoreSql('charge.store_id')}) as at_store_id,
       tenant.now + charge.expires_in_ms * interval '1 millisecond' as expires_at
     from charge, tenant),
   allowed as materialized (
     select * from placed
     where not is_suspended and at_store_id is not null and amount_pence <= limit_pence
       and cards_enabled and card_is_live),
   claimed as (
     insert into idempotency (merchant_id, environment, operation, idempotency_key, body_sha256,
       status_code, reply)
     select :merchantId, :environment, 'chargeCard', idempotency_key, body_sha256, 200,
       reply_start || ${isoTime('now')} || coalesce(reply_middle || ${isoTime('expires_at')}, '')
         || reply_end
     from allowed where idempotency_key is not null
     on conflict do nothing returning idempotency_key),
   fresh as materialized (
     select * from allowed
     where idempotency_key is null or idempotency_key in (select c.idempotency_key from claimed c)),
   guarded as (
     insert into card_charge_guard as g (merchant_id, environment, customer_id, order_id,
       amount_pence, payment_request_id, charged_at)
     select :merchantId, :environment, customer_id, order_id, amount_pence, payment_request_id, now
     from fresh where orders_guarded order by customer_id, order_id, amount_pence
     on conflict (merchant_id, environment, customer_id, order_id, amount_pence) do update
       set payment_request_id = excluded.payment_request_id, charged_at = excluded.charged_at,
         written_at = now()
       where exists (select from fresh f where f.payment_request_id = excluded.payment_request_id
           and f.idempotency_key is not null)
         or g.charged_at <= excluded.charged_at
           - ${limits.orderGuardMs} * interval '1 millisecond'
     returning payment_request_id),
   starting as materialized (
     select * from fresh
     where not orders_guarded
       or payment_request_id in (select g.payment_request_id from guarded g)),
   request as (
     insert into payment_request (merchant_id, environment, payment_request_id, kind,
       merchant_customer_reference, order_id, amount_pence, committed_pence, store_id, customer_id,
       secret_id, payment_methods, notes, tips_enabled, retry_allowed, expires_in_ms,
       expires_business_at, expires_at, live_attempt_count, created_at, updated_at, request_id,
       traceparent, ${partColumns})
     select :merchantId, :environment, payment_request_id, 'CARD_CHARGE', customer_id::text,
       order_id, amount_pence, amount_pence, at_store_id, customer_id, secret_id, array['CARD'],
       notes, false, false, ${limits.expiresInMsMax}, now + ${openInterval},
       now + ${openInterval} - moved, 1, now, now, request_id, traceparent,
       ${partsOf('starting', 'amount_pence')}
     from starting),
   attempt as (
     insert into attempt (merchant_id, environment, attempt_id, payment_request_id, position,
       payment_idempotency_id, method, status, step, institution_id, amount_pence, creditor,
       settles_to, rail_state_encrypted, consumer_name, authorise_by_business, authorise_by,
       leased_until, submitted_at, card_id, capture_type, initiator, account_key,
       card_facts, authorisation_expires_business_at, authorisation_expiry_source, created_at,
       updated_at)
     select :merchantId, :environment, attempt_id, payment_request_id, 1, payment_idempotency_id,
       'CARD', 'PENDING', 'CHARGING', '${cardInstitution}', amount_pence,
       jsonb_build_object('name', business_name, 'sortCode', '', 'accountNumber', ''),
       'PROCESSOR', rail_state_encrypted, consumer_name, now, now - moved,
       clock_timestamp() + ${chargeLeaseMs} * interval '1 millisecond', now, card_id,
       capture_type, 'MERCHANT', account_key, facts, expires_at,
       case when expires_at is not null then 'TABLE' end, now, now
     from starting),
   polled as (
     insert into attempt_poll (${pollColumns})
     select :merchantId, :environment, attempt_id, payment_request_id, 'CARD',
       '${cardInstitution}', 0, now, now - moved, now - moved,
       clock_timestamp() + ${chargeLeaseMs} * interval '1 millisecond'
     from starting),
   directory as (
     insert into public_id (public_id, kind, merchant_id, environment, target_id)
     select d.public_id, d.kind, :merchantId, :environment, payment_request_id
     from starting, lateral (values (payment_request_id::text, 'PAYMENT_REQUEST'),
       (payment_idempotency_id, 'ATTEMPT')) as d (public_id, kind)),
   history as (
     insert into payment_history (merchant_id, environment, payment_request_id, version, position,
       subject, subject_id, from_status, to_status, trigger, detail, occurred_at)
     select :merchantId, :environment, payment_request_id, 1, 0, 'ATTEMPT', attempt_id, null,
       'PENDING', 'started', capture_type, now
     from starting),
   searchable as materialized (
     select payment_request_id, 1 as position, now as created_at, 'PENDING' as status,
       null::text as before, 'CARD' as method, amount_pence as total_pence,
       null::text as institution_id, words, new_words, at_store_id as store_id, customer_id
     from starting),
   ${searchableCtes}
   select item, at_store_id is not null as store_found, cards_enabled, is_suspended, card_is_live,
     limit_pence, payment_request_id in (select s.payment_request_id from starting s) as inserted,
     payment_request_id in (select f.payment_request_id from fresh f)
       and payment_request_id not in (select s.payment_request_id from starting s)
       as is_duplicate,
     now as created_at, case when at_store_id is not null and amount_pence <= limit_pence
       and cards_enabled then expires_at end as expires_at
   from placed`,
  {
    guardedBy:
      'Idempotency-Key and order guard by unique keys: a concurrent loser inserts nothing; the ' +
      'card is not deleted, and locked',
  },
);

const findInserted = statement<Scope & { readonly attemptId: string }, Inserted>(
  'card_charge_inserted',
  sql('merchantId', 'environment', 'attemptId')`
   select 0 as item, true as store_found, true as cards_enabled, false as is_suspended,
     true as card_is_live, amount_pence as limit_pence,
     false as is_duplicate, true as inserted, created_at,
     authorisation_expires_business_at as expires_at
   from attempt where merchant_id = :merchantId and environment = :environment
     and attempt_id = :attemptId::uuid`,
);

type Ordered = {
  readonly secretId: string;
  readonly draft: ChargeDraft;
  readonly key: IdempotencyKey | null;
};

const inserting: BatchStatement<Ordered, Values, Inserted> = {
  statement: insert,
  valuesOf: (ordered) => ({
    charges: JSON.stringify(ordered.map(chargeRow)),
    cardIds: ordered.map(({ draft }) => draft.card.cardId),
  }),
  // Two under one Idempotency-Key, and two that the order guard compares, meet in one row.
  keysOf: ({ draft, key }) => [
    `order ${draft.customerId} ${draft.amountPence} ${draft.orderId}`,
    ...(key ? [`key ${key.key}`] : []),
  ],
};

const chargeRow = ({ secretId, draft, key }: Ordered, item: number) => {
  const { card, orderId, amountPence } = draft;
  const words = searchWords(orderId, poundsText(amountPence), card.cardholderName ?? '');
  return {
    item,
    payment_request_id: draft.paymentRequestId,
    attempt_id: draft.attemptId,
    payment_idempotency_id: draft.paymentIdempotencyId,
    secret_id: secretId,
    customer_id: draft.customerId,
    card_id: card.cardId,
    store_id: draft.storeId,
    order_id: orderId,
    amount_pence: amountPence.toString(),
    capture_type: draft.captureType,
    account_key: card.accountKey,
    notes: draft.notes,
    facts: savedCardFacts(card),
    consumer_name: card.cardholderName,
    rail_state_encrypted: bytesToHex(draft.railStateEncrypted),
    expires_in_ms: draft.expiresInMs,
    words: joinWords(words),
    new_words: words,
    request_id: draft.requestId,
    traceparent: draft.traceparent,
    idempotency_key: key?.key ?? null,
    body_sha256: key && bytesToHex(key.bodySha256),
    // The database sets the two times, which are last.
    reply_start: `${JSON.stringify(draft.reply).slice(0, -1)},"createdAt":"`,
    reply_middle: '","expiresAt":"',
    reply_end: '"}',
  };
};

export const insertCharge = (
  database: Database,
  { tenant, secretId }: Caller,
  draft: ChargeDraft,
  key: IdempotencyKey | null,
): Promise<Inserted | undefined> =>
  insertOrFind({
    unknown: unknownPayment(draft.paymentRequestId),
    insert: () => database.batched(tenant, inserting, { secretId, draft, key }),
    find: async () => {
      const values = { ...tenant, attemptId: draft.attemptId };
      return (await database.tenant(tenant.merchantId, findInserted, values))[0];
    },
  });

const storedHours = 24;
const batchSize = 5_000;

/** Real time: after the clock was moved the row can be taken over anyway. */
const prune = statement<{ storedHours: number; limit: number }, { merchant_id: string }>(
  'card_charge_guard_prune',
  sql('storedHours', 'limit')`
   delete from card_charge_guard
   where (merchant_id, environment, customer_id, order_id, amount_pence) in (
     select merchant_id, environment, customer_id, order_id, amount_pence from card_charge_guard
     where written_at < now() - :storedHours * interval '1 hour' order by written_at limit :limit)
   returning merchant_id`,
  { guardedBy: 'deletes by age; a repeat finds nothing' },
);

export const pruneOrderGuard = async (database: Database): Promise<number> =>
  (await database.system(prune, { storedHours, limit: batchSize })).length;
