import type { ReplyOf } from '@florin/contract';
import type { proposeRefund } from '@florin/contract/dashboard/index.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import type { Member } from '#platform/http/route.ts';
import type { ApprovalRow } from './store/approvals.ts';

/** As a member sees it: whether they proposed themselves. */
export const approvalView = (
  row: ApprovalRow,
  { personId }: Pick<Member, 'personId'>,
): ReplyOf<typeof proposeRefund> => ({
  approvalId: row.approval_id,
  paymentRequestId: row.payment_request_id,
  paymentIdempotencyId: row.payment_idempotency_id,
  orderId: row.order_id,
  amount: poundsNumber(pence(row.amount_pence)),
  notes: row.notes,
  status: row.status,
  proposedBy: row.proposed_by_name,
  isOwn: row.proposed_by === personId,
  decidedBy: row.decided_by_name,
  reason: row.reason,
  refundId: row.refund_id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
