import type { Tenant } from '#kernel/environment.ts';
import { emitEventsCtes, emittedEndpoints, eventsValue } from '#modules/events/index.ts';
import { clockOffsetSql } from '#modules/merchants/index.ts';
import type { Ids } from '#platform/clock.ts';
import { isDeadlock, isUniqueViolation } from '#platform/database/database-unavailable.ts';
import { insertOrFind } from '#platform/database/insert-or-find.ts';
import type { Database } from '#platform/database/open-database.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { RequestTrace } from '#platform/http/request-trace.ts';
import type { IdempotencyKey } from '#platform/http/route.ts';
import { changesTooOften, isReported, refundEvents } from '../../core/change-refunds.ts';
import type { Refund } from '../../core/refund.ts';
import { readRefund } from '../../core/store/read-refunds.ts';
import { unreturnedSql } from '../../core/store/unreturned.ts';

/** So much is left of a completed payment: a condition on `attempt a`. */
export const isLeftSql = sql('amountPence')`a.status = 'COMPLETED'
       and a.refunded_pence + a.refund_reserved_pence + disputed_pence(a.disputes)
         + refunded_at_processor_pence(a.refunds) + ${unreturnedSql} + :amountPence::bigint
         <= a.amount_pence + a.tip_pence`;

/** Of `attempt a`: what is refunded or about to be. */
const refundedSql = sql()`a.refunded_pence + a.refund_reserved_pence
       + refunded_at_processor_pence(a.refunds) + ${unreturnedSql}`;

/** What a member may refund alone, and what all payers of the payment have refunded or reserved so far. */
export const findAloneLimit = statement<
  Tenant & { readonly paymentRequestId: string },
  { readonly above_pence: bigint | null; readonly refunded_pence: bigint }
>(
  'refund_alone_limit',
  sql('merchantId', 'environment', 'paymentRequestId')`
   select w.refund_approval_above_pence as above_pence,
     (select coalesce(sum(${refundedSql}), 0)::bigint from attempt a
       where a.merchant_id = :merchantId and a.environment = :environment
         and a.payment_request_id = :paymentRequestId::uuid) as refunded_pence
   from merchant_switch w
   where w.merchant_id = :merchantId and w.environment = :environment`,
);

/**
 * The approval that the refund ends, locked before the payment: of two who approve, the second finds it
 * ended. Empty without an approval, and where the approver is the one who proposed.
 */
const lockedApprovalCte = sql('merchantId', 'environment', 'approvalId', 'approverId')`
   approval as materialized (
     select approval_id, version from refund_approval
     where merchant_id = :merchantId and environment = :environment
       and approval_id = :approvalId::uuid and status = 'WAITING'
       and proposed_by <> :approverId::uuid for update)`;

/**
 * What all payers of the payment have refunded or reserved: a member's limit is for their sum. Of two
 * members at once the second waits for the rows that the first has locked, and counts what it reserved.
 */
const refundedOfPaymentCte = sql('merchantId', 'environment', 'paymentRequestId', 'isLimited')`
   refunded as materialized (
     select ${refundedSql} as pence from attempt a
     where :isLimited::boolean and a.merchant_id = :merchantId and a.environment = :environment
       and a.payment_request_id = :paymentRequestId::uuid and a.status = 'COMPLETED'
     order by a.attempt_id for update)`;

/** A condition on the refund: who asks for it may do it alone, or it is approved. */
const isPermittedSql = sql('merchantId', 'environment', 'isLimited', 'approvalId', 'amountPence')`
   (:approvalId::uuid is null or exists (select from approval))
       and (not :isLimited::boolean or (select coalesce(sum(pence), 0) from refunded)
         + :amountPence::bigint <= coalesce((select w.refund_approval_above_pence
           from merchant_switch w where w.merchant_id = :merchantId
             and w.environment = :environment), 9223372036854775807))`;

/** The approval ends with the refund that `made` wrote, or both do not. */
const endApprovalCtes = sql(
  'merchantId',
  'environment',
  'approvalId',
  'approverId',
  'approverName',
)`
   approved as (
     update refund_approval f set status = 'REFUNDED', version = f.version + 1,
       refund_id = made.refund_id, decided_by = :approverId::uuid,
       decided_by_name = :approverName::text,
       updated_at = business_now(:merchantId, :environment)
     from made, approval
     where f.merchant_id = :merchantId and f.environment = :environment
       and f.approval_id = :approvalId::uuid and f.version = approval.version
     returning f.approval_id, f.version, f.updated_at),
   approval_history as (
     insert into refund_approval_history (merchant_id, environment, approval_id, version,
       from_status, to_status, trigger, person_id, person_name, occurred_at)
     select :merchantId, :environment, g.approval_id, g.version, 'WAITING', 'REFUNDED', 'approved',
       :approverId::uuid, :approverName::text, g.updated_at from approved g)`;

type Values = RequestTrace & {
  readonly merchantId: string;
  readonly environment: string;
  readonly refundId: string;
  readonly paymentRequestId: string;
  readonly attemptId: string;
  readonly orderId: string;
  readonly secretId: string;
  readonly status: string;
  readonly reservedPence: string;
  readonly amountPence: string;
  readonly notes: string | null;
  readonly errorDescription: string | null;
  readonly createdAt: Date;
  readonly idempotencyKey: string | null;
  readonly bodySha256: Buffer | null;
  readonly reply: string;
  readonly events: string;
  /** Up to the amount that a member may refund alone. */
  readonly isLimited: boolean;
  readonly approvalId: string | null;
  readonly approverId: string | null;
  readonly approverName: string | null;
};

/**
 * Reserves the amount on the payment and writes the refund, its history, event and Idempotency-Key,
 * or nothing. The payment's row is locked by the first of two at once, so the second sees the rest.
 * A key that another has written meanwhile is not claimed, which undoes everything.
 */
const insert = statement<Values, { readonly endpoints: readonly string[] }>(
  'refund_insert',
  sql(
    'merchantId',
    'environment',
    'refundId',
    'paymentRequestId',
    'attemptId',
    'orderId',
    'secretId',
    'status',
    'reservedPence',
    'amountPence',
    'notes',
    'errorDescription',
    'createdAt',
    'idempotencyKey',
    'bodySha256',
    'reply',
    'requestId',
    'traceparent',
  )`
   with tenant as materialized (select ${clockOffsetSql} as moved),
   ${lockedApprovalCte},
   ${refundedOfPaymentCte},
   reserved as (
     update attempt a set refund_reserved_pence = a.refund_reserved_pence + :reservedPence::bigint
     where a.merchant_id = :merchantId and a.environment = :environment
       and a.attempt_id = :attemptId::uuid and a.payment_request_id = :paymentRequestId::uuid
       and ${isLeftSql} and ${isPermittedSql}
     returning a.attempt_id, a.payment_idempotency_id, a.method,
       a.amount_pence + a.tip_pence as paid_pence),
   made as (
     insert into refund (merchant_id, environment, refund_id, payment_request_id, attempt_id,
       payment_idempotency_id, order_id, store_id, secret_id, method, status, step, amount_pence,
       paid_pence, notes, error_description, event_sequence, due_business_at, due_at, created_at,
       updated_at, request_id, traceparent)
     select :merchantId, :environment, :refundId::uuid, :paymentRequestId::uuid, reserved.attempt_id,
       reserved.payment_idempotency_id, :orderId, p.store_id, :secretId::uuid, reserved.method,
       :status, case :status when 'INITIATED' then 'WAITING' else 'ENDED' end,
       :amountPence::bigint, reserved.paid_pence, :notes, :errorDescription,
       case :status when 'INITIATED' then 0 else 1 end,
       case :status when 'INITIATED' then :createdAt::timestamptz end,
       case :status when 'INITIATED' then :createdAt::timestamptz - tenant.moved end,
       :createdAt::timestamptz, :createdAt::timestamptz, :requestId::uuid, :traceparent::text
     from reserved, tenant, payment_request p
     where p.merchant_id = :merchantId and p.environment = :environment
       and p.payment_request_id = :paymentRequestId::uuid
     returning refund_id),
   claimed as (
     insert into idempotency (merchant_id, environment, operation, idempotency_key, body_sha256,
       status_code, reply)
     select :merchantId, :environment, 'requestRefund', :idempotencyKey::text,
       :bodySha256::bytea, 200, :reply
     from made where :idempotencyKey::text is not null
     on conflict do nothing returning idempotency_key),
   directory as (
     insert into public_id (public_id, kind, merchant_id, environment, target_id)
     select made.refund_id::text, 'REFUND', :merchantId, :environment, made.refund_id from made),
   history as (
     insert into refund_history (merchant_id, environment, refund_id, version, position,
       from_status, to_status, trigger, detail, occurred_at)
     select :merchantId, :environment, made.refund_id, 1, 0, null, :status, 'requested',
       :errorDescription, :createdAt::timestamptz from made),
   ${endApprovalCtes},
   ${emitEventsCtes('made', 'refund_id')}
   select ${emittedEndpoints} as endpoints from made
   where require_idempotency_key(:idempotencyKey::text is null or exists (select from claimed))`,
  {
    guardedBy:
      'reservation within what was paid and what a member may refund alone, under the row locks ' +
      'of the attempts; ' +
      'one claim of a key; ' +
      'an approval that waits, under its row lock',
  },
);

/** A second person's consent, which the refund ends. */
export type Approval = {
  readonly approvalId: string;
  readonly approverId: string;
  readonly approverName: string;
};

type Consent = { readonly isLimited: boolean; readonly approval: Approval | null };

/**
 * Not inserted: the payment has not so much left to refund, is not completed any more, consent is missing, or
 * the key is in use.
 */
type Inserted = { readonly inserted: boolean; readonly endpoints: readonly string[] };

const notInserted: Inserted = { inserted: false, endpoints: [] };

/** When the answer is lost, the refund is found by its id, or the caller is told which one it may be. */
export const insertRefund = async (
  tools: { readonly database: Database; readonly ids: Ids },
  refund: Refund,
  key: IdempotencyKey | null,
  reply: string,
  consent: Consent,
): Promise<Inserted> =>
  (await insertOrFind({
    unknown: unknownRefund(refund),
    insert: () => insertOnce(tools, refund, key, reply, consent),
    find: async () => {
      const found = await readRefund(tools.database, refund.tenant, refund.refundId);
      return found ? { inserted: true, endpoints: [] } : undefined;
    },
  })) ?? notInserted;

const unknownRefund = ({ refundId, paymentRequestId }: Refund) => ({
  message:
    'It is not known whether the refund was made. Read refundId in the list ' +
    `GET /api/refund/${paymentRequestId} before you ask for it again.`,
  members: { refundId },
});

const insertOnce = async (
  tools: { readonly database: Database; readonly ids: Ids },
  refund: Refund,
  key: IdempotencyKey | null,
  reply: string,
  { isLimited, approval }: Consent,
): Promise<Inserted> => {
  const { status } = refund;
  const reported = isReported(status) ? refundEvents(tools, { ...refund, status }) : [];
  try {
    const [row] = await tools.database.tenant(refund.tenant.merchantId, insert, {
      ...refund.tenant,
      refundId: refund.refundId,
      paymentRequestId: refund.paymentRequestId,
      attemptId: refund.attemptId,
      orderId: refund.orderId,
      secretId: refund.secretId,
      status,
      reservedPence: status === 'INITIATED' ? refund.amountPence.toString() : '0',
      amountPence: refund.amountPence.toString(),
      notes: refund.notes,
      errorDescription: refund.errorDescription,
      createdAt: refund.createdAt,
      requestId: refund.requestId,
      traceparent: refund.traceparent,
      idempotencyKey: key?.key ?? null,
      bodySha256: key?.bodySha256 ?? null,
      reply,
      events: eventsValue(reported),
      isLimited,
      approvalId: approval?.approvalId ?? null,
      approverId: approval?.approverId ?? null,
      approverName: approval?.approverName ?? null,
    });
    return row ? { inserted: true, endpoints: row.endpoints } : notInserted;
  } catch (error) {
    return refusedBy(error);
  }
};

/** A hand-over locks the attempts of several refunds in an order of its own: then nothing was written. */
const refusedBy = (error: unknown): Inserted => {
  if (isUniqueViolation(error, 'idempotency_pkey')) return notInserted;
  throw isDeadlock(error) ? changesTooOften() : error;
};
