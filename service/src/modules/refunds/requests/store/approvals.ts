import type { Tenant } from '#kernel/environment.ts';
import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import type { ApprovalStatus, ApprovalTrigger } from '../approvals.ts';
import { isLeftSql } from './insert-refund.ts';

export type ApprovalRow = {
  readonly approval_id: string;
  readonly payment_request_id: string;
  readonly payment_idempotency_id: string;
  readonly order_id: string;
  readonly payer: string | null;
  readonly amount_pence: bigint;
  readonly notes: string | null;
  readonly status: ApprovalStatus;
  readonly version: number;
  readonly proposed_by: string;
  readonly proposed_by_name: string;
  readonly decided_by: string | null;
  readonly decided_by_name: string | null;
  readonly reason: string | null;
  readonly refund_id: string | null;
  readonly created_at: Date;
  readonly created_micros: bigint;
  readonly updated_at: Date;
};

const columns = `approval_id, payment_request_id, payment_idempotency_id, order_id, amount_pence,
     notes, status, version, proposed_by, proposed_by_name, decided_by, decided_by_name, reason,
     refund_id, created_at, (extract(epoch from created_at) * 1000000)::bigint as created_micros,
     updated_at, (select consumer_name from attempt t where t.merchant_id = :merchantId
       and t.environment = :environment and t.attempt_id = refund_approval.attempt_id) as payer`;

export const readApproval = statement<Tenant & { readonly approvalId: string }, ApprovalRow>(
  'refund_approval_read',
  sql('merchantId', 'environment', 'approvalId')`
   select ${columns} from refund_approval
   where merchant_id = :merchantId and environment = :environment
     and approval_id = :approvalId::uuid`,
);

/** No row: too little is left of the payment, or too many wait. */
export const insertApproval = statement<
  Tenant & {
    readonly approvalId: string;
    readonly paymentRequestId: string;
    readonly attemptId: string;
    readonly amountPence: string;
    readonly orderId: string;
    readonly notes: string | null;
    readonly personId: string;
    readonly personName: string;
    readonly max: number;
  },
  { readonly approval_id: string }
>(
  'refund_approval_insert',
  sql(
    'merchantId',
    'environment',
    'approvalId',
    'paymentRequestId',
    'attemptId',
    'amountPence',
    'orderId',
    'notes',
    'personId',
    'personName',
    'max',
  )`
   with made as (
     insert into refund_approval (merchant_id, environment, approval_id, payment_request_id,
       attempt_id, payment_idempotency_id, order_id, amount_pence, notes, status, proposed_by,
       proposed_by_name, created_at, updated_at)
     select :merchantId, :environment, :approvalId::uuid, :paymentRequestId::uuid, a.attempt_id,
       a.payment_idempotency_id, :orderId, :amountPence::bigint, :notes, 'WAITING',
       :personId::uuid, :personName, t.instant, t.instant
     from attempt a, (select business_now(:merchantId, :environment) as instant) t
     where a.merchant_id = :merchantId and a.environment = :environment
       and a.attempt_id = :attemptId::uuid and a.payment_request_id = :paymentRequestId::uuid
       and ${isLeftSql}
       and :max::int > (select count(*) from refund_approval w where w.merchant_id = :merchantId
         and w.environment = :environment and w.status = 'WAITING')
     on conflict (merchant_id, environment, approval_id) do nothing
     returning approval_id, created_at),
   history as (
     insert into refund_approval_history (merchant_id, environment, approval_id, version,
       from_status, to_status, trigger, person_id, person_name, occurred_at)
     select :merchantId, :environment, made.approval_id, 1, null, 'WAITING', 'proposed',
       :personId::uuid, :personName, made.created_at from made)
   select approval_id from made
   union select approval_id from refund_approval where merchant_id = :merchantId
     and environment = :environment and approval_id = :approvalId::uuid`,
  { guardedBy: 'primary key: under the id that was decided first, a repeat proposes once' },
);

/** Without a refund. No row: another decision came first. */
export const endApproval = statement<
  Tenant & {
    readonly approvalId: string;
    readonly version: number;
    readonly fromStatus: ApprovalStatus;
    readonly toStatus: ApprovalStatus;
    readonly trigger: ApprovalTrigger;
    readonly personId: string;
    readonly personName: string;
    readonly reason: string | null;
  },
  { readonly approval_id: string }
>(
  'refund_approval_end',
  sql(
    'merchantId',
    'environment',
    'approvalId',
    'version',
    'fromStatus',
    'toStatus',
    'trigger',
    'personId',
    'personName',
    'reason',
  )`
   with won as (
     update refund_approval set status = :toStatus::text, version = version + 1,
       decided_by = :personId::uuid, decided_by_name = :personName, reason = :reason::text,
       updated_at = business_now(:merchantId, :environment)
     where merchant_id = :merchantId and environment = :environment
       and approval_id = :approvalId::uuid and status = :fromStatus::text
       and version = :version::int
     returning approval_id, version, updated_at),
   history as (
     insert into refund_approval_history (merchant_id, environment, approval_id, version,
       from_status, to_status, trigger, person_id, person_name, detail, occurred_at)
     select :merchantId, :environment, won.approval_id, won.version, :fromStatus::text,
       :toStatus::text, :trigger::text, :personId::uuid, :personName, :reason::text,
       won.updated_at from won)
   select approval_id from won`,
  { guardedBy: 'version and status as read' },
);

/** One row at least: the setting, also without approvals. */
export const listApprovals = statement<
  Tenant & {
    readonly status: string | null;
    readonly paymentRequestId: string | null;
    readonly beforeMicros: string | null;
    readonly beforeId: string | null;
    readonly limit: number;
  },
  { readonly above_pence: bigint | null } & (ApprovalRow | { readonly approval_id: null })
>(
  'refund_approval_list',
  sql(
    'merchantId',
    'environment',
    'status',
    'paymentRequestId',
    'beforeMicros',
    'beforeId',
    'limit',
  )`
   select w.refund_approval_above_pence as above_pence, l.* from merchant_switch w
   left join lateral (
     select ${columns} from refund_approval
     where merchant_id = :merchantId and environment = :environment
       and (:status::text is null or status = :status::text)
       and (:paymentRequestId::uuid is null or payment_request_id = :paymentRequestId::uuid)
       and created_at <= (select coalesce(
         to_timestamp(:beforeMicros::numeric / 1000000), 'infinity'::timestamptz))
       and (:beforeMicros::numeric is null or (created_at, approval_id)
         < (to_timestamp(:beforeMicros::numeric / 1000000), :beforeId::uuid))
     order by created_at desc, approval_id desc limit :limit::int) l on true
   where w.merchant_id = :merchantId and w.environment = :environment`,
);
