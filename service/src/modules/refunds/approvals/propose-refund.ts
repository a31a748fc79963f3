import { type BodyOf, failures, limits, type ReplyOf } from '@florin/contract';
import type { proposeRefund as operation } from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import type { Caller, DecideOnce, Member } from '#platform/http/route.ts';
import { draftRefund, moreThanLeft, type RequestTools } from '../requests/request-refund.ts';
import { approvalView } from './approval-view.ts';
import { insertApproval, listApprovals, readApproval } from './store/approvals.ts';

/** Of a refund that could be made now; nothing is reserved until another person approves (REFUND-11). */
export const proposeRefund = async (
  tools: RequestTools,
  { tenant }: Pick<Caller, 'tenant'>,
  person: Member,
  body: BodyOf<typeof operation>,
  decideOnce: DecideOnce,
): Promise<ReplyOf<typeof operation>> => {
  const refund = await draftRefund(tools, { tenant }, body);
  const approvalId = await decideOnce(async () => tools.ids.uuid());
  const [made] = await tools.database.tenant(tenant.merchantId, insertApproval, {
    ...tenant,
    approvalId,
    paymentRequestId: refund.paymentRequestId,
    attemptId: refund.attemptId,
    amountPence: refund.amountPence.toString(),
    orderId: refund.orderId,
    notes: refund.notes,
    personId: person.personId,
    personName: person.name,
    max: limits.refundApprovalsWaitingMax,
  });
  const values = { ...tenant, approvalId };
  const [row] = made
    ? await tools.database.tenant(tenant.merchantId, readApproval, values)
    : [undefined];
  if (row) return approvalView(row, person);
  throw (await isFull(tools, { tenant })) ? tooManyWait() : moreThanLeft();
};

const isFull = async (
  { database }: RequestTools,
  { tenant }: Pick<Caller, 'tenant'>,
): Promise<boolean> => {
  const rows = await database.tenant(tenant.merchantId, listApprovals, {
    ...tenant,
    status: 'WAITING',
    paymentRequestId: null,
    beforeMicros: null,
    beforeId: null,
    limit: limits.refundApprovalsWaitingMax,
  });
  return rows.length >= limits.refundApprovalsWaitingMax;
};

const tooManyWait = (): Failure =>
  new Failure(failures.conflict, {
    message: `At most ${limits.refundApprovalsWaitingMax} refunds wait for approval: decide some first.`,
  });
