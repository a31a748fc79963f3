import { sql } from '#platform/database/sql.ts';

/**
 * The approval that the refund ends, locked before the payment: of two who approve, the second finds it
 * ended. Empty without an approval, and where the approver is the one who proposed.
 */
export const lockedApprovalCte = sql('merchantId', 'environment', 'approvalId', 'approverId')`
   approval as materialized (
     select approval_id, version from refund_approval
     where merchant_id = :merchantId and environment = :environment
       and approval_id = :approvalId::uuid and status = 'WAITING'
       and proposed_by <> :approverId::uuid for update)`;

/** A condition on `attempt a`: who refunds may do it alone, or it is approved. */
export const isPermittedSql = sql(
  'merchantId',
  'environment',
  'isLimited',
  'approvalId',
  'amountPence',
)`
   (:approvalId::uuid is null or exists (select from approval))
       and (not :isLimited::boolean or a.refunded_pence + a.refund_reserved_pence
         + :amountPence::bigint <= coalesce((select w.refund_approval_above_pence
           from merchant_switch w where w.merchant_id = :merchantId
             and w.environment = :environment), 9223372036854775807))`;

/** The approval ends with the refund that `made` wrote, or both do not. */
export const endApprovalCtes = sql(
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
