import {
  cancelRefund as cancelOperation,
  enterRefundAccount as enterOperation,
  listRefunds as listOperationListRefunds,
  requestRefund as requestOperation,
} from '@florin/contract';
import {
  approveRefund as approveOperation,
  declineRefund as declineOperation,
  listRefundApprovals as listOperationListRefundApprovals,
  proposeRefund as proposeOperation,
  withdrawRefund as withdrawOperation,
} from '@florin/contract/dashboard/index.ts';
import { tenantIn } from '#kernel/environment.ts';
import {
  memberOf,
  operatorRoute,
  type Route,
  route,
  routeHandlingIdempotency,
} from '#platform/http/route.ts';
import {
  approveRefund,
  declineRefund,
  listApprovals,
  proposeRefund,
  withdrawRefund,
} from './requests/approvals.ts';
import { cancelRefund } from './requests/cancel-refund.ts';
import { type EnterTools, enterRefundAccount } from './requests/enter-refund-account.ts';
import { listRefunds } from './requests/list-refunds.ts';
import { type RequestTools, requestRefund } from './requests/request-refund.ts';

/** Refunds that need a second person (REFUND-11). */
export const memberRoutes = (tools: RequestTools): readonly Route[] => [
  route(listOperationListRefundApprovals, ({ query }, caller) =>
    listApprovals(tools, caller.tenant, memberOf(caller), query),
  ),
  route(proposeOperation, ({ body, decideOnce }, caller) =>
    proposeRefund(tools, caller, memberOf(caller), body, decideOnce),
  ),
  route(approveOperation, (call, caller) =>
    approveRefund(tools, caller, memberOf(caller), call.params.approvalId, call),
  ),
  route(declineOperation, ({ params, body }, caller) => {
    const deciding = { ...params, tenant: caller.tenant, person: memberOf(caller) };
    return declineRefund(tools, deciding, body.reason.trim());
  }),
  route(withdrawOperation, ({ params }, caller) =>
    withdrawRefund(tools, { ...params, tenant: caller.tenant, person: memberOf(caller) }),
  ),
];

export const merchantRoutes = (tools: RequestTools): readonly Route[] => [
  routeHandlingIdempotency(requestOperation, (call, caller) => requestRefund(tools, caller, call)),
  route(listOperationListRefunds, ({ params }, { tenant }) =>
    listRefunds(tools, tenant, params.paymentRequestId),
  ),
  route(cancelOperation, ({ params, decideOnce }, { tenant }) =>
    cancelRefund(tools, tenant, params.refundId, decideOnce),
  ),
];

export const operatorRoutes = (tools: EnterTools): readonly Route[] => [
  operatorRoute(enterOperation, async ({ params, body }, { name }) => {
    const { refundId } = params;
    const given = [tenantIn(params), refundId, body.account, name] as const;
    const { status } = await enterRefundAccount(tools, ...given);
    return { refundId, status };
  }),
];
