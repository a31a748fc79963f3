import {
  approveRefund as approveOperation,
  declineRefund as declineOperation,
  listRefundApprovals as listOperation,
  proposeRefund as proposeOperation,
  withdrawRefund as withdrawOperation,
} from '@florin/contract/dashboard/index.ts';
import { memberOf, type Route, route } from '#platform/http/route.ts';
import { approveRefund, declineRefund, withdrawRefund } from './approvals/approve-refund.ts';
import { listApprovals } from './approvals/list-approvals.ts';
import { proposeRefund } from './approvals/propose-refund.ts';
import type { RequestTools } from './requests/request-refund.ts';

/** Refunds that need a second person (REFUND-11). */
export const memberRoutes = (tools: RequestTools): readonly Route[] => [
  route(listOperation, ({ query }, caller) =>
    listApprovals(tools, caller.tenant, memberOf(caller), query),
  ),
  route(proposeOperation, ({ body, decideOnce }, caller) =>
    proposeRefund(tools, caller, memberOf(caller), body, decideOnce),
  ),
  route(approveOperation, ({ params }, caller) =>
    approveRefund(tools, caller, memberOf(caller), params.approvalId),
  ),
  route(declineOperation, ({ params, body }, caller) => {
    const deciding = { ...params, tenant: caller.tenant, person: memberOf(caller) };
    return declineRefund(tools, deciding, body.reason.trim());
  }),
  route(withdrawOperation, ({ params }, caller) =>
    withdrawRefund(tools, { ...params, tenant: caller.tenant, person: memberOf(caller) }),
  ),
];
