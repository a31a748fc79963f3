import { createHash } from 'node:crypto';
import { type BodyOf, failures, limits, type QueryOf, type ReplyOf } from '@florin/contract';
import type {
  proposeRefund as describedProposeRefund,
  approveRefund as operationApproveRefund,
  listRefundApprovals as operationListRefundApprovals,
  proposeRefund as operationProposeRefund,
} from '@florin/contract/dashboard/index.ts';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { lifecycle } from '#kernel/lifecycle.ts';
import { pence, poundsNumber } from '#kernel/pence.ts';
import type { RequestTrace } from '#platform/http/request-trace.ts';
import type { Caller, DecideOnce, Member } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { draftRefund, moreThanLeft, type RequestTools, requestRefund } from './request-refund.ts';
import {
  type ApprovalRow,
  endApproval,
  insertApproval,
  listApprovals as listRows,
  readApproval,
} from './store/approvals.ts';

/** REFUND-11. Approving makes the refund in the same statement, so there is no state between. */
export const approvalLifecycle = lifecycle({
  name: 'refund approval',
  initial: 'WAITING',
  states: ['WAITING', 'REFUNDED', 'DECLINED', 'WITHDRAWN', 'REFUSED'],
  edges: [
    { from: 'WAITING', trigger: 'approved', to: 'REFUNDED' },
    { from: 'WAITING', trigger: 'declined', to: 'DECLINED' },
    { from: 'WAITING', trigger: 'withdrawn', to: 'WITHDRAWN' },
    { from: 'WAITING', trigger: 'refused', to: 'REFUSED' },
  ],
});

export type ApprovalStatus = (typeof approvalLifecycle.states)[number];
export type ApprovalTrigger = (typeof approvalLifecycle.edges)[number]['trigger'];

/** As a member sees it: whether they proposed themselves. */
const approvalView = (
  row: ApprovalRow,
  { personId }: Pick<Member, 'personId'>,
): ReplyOf<typeof describedProposeRefund> => ({
  approvalId: row.approval_id,
  paymentRequestId: row.payment_request_id,
  paymentIdempotencyId: row.payment_idempotency_id,
  orderId: row.order_id,
  payer: row.payer,
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

type Reply = ReplyOf<typeof operationApproveRefund>;
type Deciding = { readonly tenant: Tenant; readonly person: Member; readonly approvalId: string };

/**
 * Makes the refund and ends the approval in one statement: of two who approve, one refunds. What the payment
 * no longer allows ends the approval with the reason.
 */
export const approveRefund = async (
  tools: RequestTools,
  caller: Caller,
  person: Member,
  approvalId: string,
  { requestId, traceparent }: RequestTrace,
): Promise<Reply> => {
  const { tenant } = caller;
  const deciding = { tenant, person, approvalId };
  const row = await requireApproval(tools, deciding);
  requireOther(row, person, 'approve');
  if (isOwnDecision(row, person)) return approvalView(row, person);
  requireWaiting(row);
  try {
    const approval = { approvalId, approverId: person.personId, approverName: person.name };
    const call = { body: bodyOf(row), idempotencyKey: keyOf(approvalId), requestId, traceparent };
    await requestRefund(tools, caller, call, approval);
  } catch (error) {
    if (!(error instanceof Failure) || !isForGood(error)) throw error;
    // Another decision may have come first: then that one stands.
    await end(tools, deciding, row, 'refused', error.message);
  }
  const decided = await requireApproval(tools, deciding);
  if (!isOwnDecision(decided, person)) requireWaiting(decided);
  return approvalView(decided, person);
};

/** Nothing that could change by itself: the switch, a rail without settings, a database that is down. */
const isForGood = ({ definition }: Failure): boolean =>
  definition === failures.badRequest || definition === failures.invalidState;

export const declineRefund = async (
  tools: Uses<'database'>,
  deciding: Deciding,
  reason: string,
): Promise<Reply> => {
  const row = await requireApproval(tools, deciding);
  requireOther(row, deciding.person, 'decline');
  return endOnce(tools, deciding, row, 'declined', reason);
};

/** By the person who proposed. */
export const withdrawRefund = async (
  tools: Uses<'database'>,
  deciding: Deciding,
): Promise<Reply> => {
  const row = await requireApproval(tools, deciding);
  if (row.proposed_by !== deciding.person.personId)
    throw new Failure(failures.invalidState, {
      message: `${row.proposed_by_name} proposed this refund: only they can withdraw it.`,
    });
  return endOnce(tools, deciding, row, 'withdrawn', null);
};

const endOnce = async (
  tools: Uses<'database'>,
  deciding: Deciding,
  row: ApprovalRow,
  trigger: ApprovalTrigger,
  reason: string | null,
): Promise<Reply> => {
  const isRepeat =
    row.decided_by === deciding.person.personId &&
    row.status === approvalLifecycle.next('WAITING', trigger);
  if (isRepeat) return approvalView(row, deciding.person);
  requireWaiting(row);
  const isWon = await end(tools, deciding, row, trigger, reason);
  const decided = await requireApproval(tools, deciding);
  if (!isWon) requireWaiting(decided);
  return approvalView(decided, deciding.person);
};

const end = async (
  { database }: Uses<'database'>,
  { tenant, person, approvalId }: Deciding,
  { status, version }: ApprovalRow,
  trigger: ApprovalTrigger,
  reason: string | null,
): Promise<boolean> => {
  const toStatus = approvalLifecycle.next(status, trigger);
  if (!toStatus) return false;
  const rows = await database.tenant(tenant.merchantId, endApproval, {
    ...tenant,
    approvalId,
    version,
    fromStatus: status,
    toStatus,
    trigger,
    personId: person.personId,
    personName: person.name,
    reason,
  });
  return rows.length === 1;
};

const requireApproval = async (
  { database }: Uses<'database'>,
  { tenant, approvalId }: Deciding,
): Promise<ApprovalRow> => {
  const values = { ...tenant, approvalId };
  const [row] = await database.tenant(tenant.merchantId, readApproval, values);
  if (row) return row;
  throw new Failure(failures.notFound, { message: 'No refund with this id waits for approval.' });
};

const requireOther = ({ proposed_by }: ApprovalRow, { personId }: Member, act: string): void => {
  if (proposed_by !== personId) return;
  throw new Failure(failures.invalidState, {
    message: `You proposed this refund: another person must ${act} it.`,
  });
};

/** The same person sends the same again: the answer is that of the first time. */
const isOwnDecision = (row: ApprovalRow, { personId }: Member): boolean =>
  (row.status === 'REFUNDED' || row.status === 'REFUSED') && row.decided_by === personId;

const requireWaiting = ({ status, decided_by_name }: ApprovalRow): void => {
  if (status === 'WAITING') return;
  const message = `${decided_by_name ?? 'Another person'} has decided already: it is ${status}.`;
  throw new Failure(failures.invalidState, { message });
};

const bodyOf = (row: ApprovalRow) => ({
  paymentRequestId: row.payment_request_id,
  paymentIdempotencyId: row.payment_idempotency_id,
  amount: poundsNumber(pence(row.amount_pence)),
  ...(row.notes === null ? {} : { refundNotes: row.notes }),
});

/** The same for each who approves: one refund, whatever happens. */
const keyOf = (approvalId: string) => {
  const key = `approval-${approvalId}`;
  return { key, bodySha256: createHash('sha256').update(key).digest() };
};

export const listApprovals = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  person: Member,
  { status, paymentRequestId, before, limit }: QueryOf<typeof operationListRefundApprovals>,
): Promise<ReplyOf<typeof operationListRefundApprovals>> => {
  const [beforeMicros = null, beforeId = null] = before?.split('.') ?? [];
  const found = await database.tenant(tenant.merchantId, listRows, {
    ...tenant,
    status: status ?? null,
    paymentRequestId: paymentRequestId ?? null,
    beforeMicros,
    beforeId,
    limit: limit + 1,
  });
  const abovePence = found[0]?.above_pence ?? null;
  const rows = found.flatMap((row) => (row.approval_id === null ? [] : [row]));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last;
  return {
    approvalAbove: abovePence === null ? null : poundsNumber(pence(abovePence)),
    data: page.map((row) => approvalView(row, person)),
    nextBefore: hasMore ? `${last.created_micros}.${last.approval_id}` : null,
  };
};

/** Of a refund that could be made now; nothing is reserved until another person approves (REFUND-11). */
export const proposeRefund = async (
  tools: RequestTools,
  { tenant }: Pick<Caller, 'tenant'>,
  person: Member,
  body: BodyOf<typeof operationProposeRefund>,
  decideOnce: DecideOnce,
): Promise<ReplyOf<typeof operationProposeRefund>> => {
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
  const rows = await database.tenant(tenant.merchantId, listRows, {
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
