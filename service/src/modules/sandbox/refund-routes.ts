import { enterSandboxRefundAccount } from '@florin/contract';
import { enterRefundAccount } from '#modules/refunds/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';

type RefundTools = Uses<'database' | 'ids' | 'secrets' | 'wakeDispatcher'>;

export const refundRoutes = (tools: RefundTools): readonly Route[] => [
  route(enterSandboxRefundAccount, async ({ params, body, decideOnce }, { tenant }) => {
    const { refundId } = params;
    const { account } = body;
    const entered = [refundId, account, 'merchant', decideOnce] as const;
    const { status } = await enterRefundAccount(tools, tenant, ...entered);
    return { refundId, status };
  }),
];
