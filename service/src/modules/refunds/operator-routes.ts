import { enterRefundAccount as enterOperation } from '@florin/contract';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import { type EnterTools, enterRefundAccount } from './requests/enter-refund-account.ts';

export const operatorRoutes = (tools: EnterTools): readonly Route[] => [
  operatorRoute(enterOperation, async ({ params, body }, { name }) => {
    const { merchantId, refundId } = params;
    const environment = params.environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION';
    const tenant = { merchantId, environment } as const;
    const { status } = await enterRefundAccount(tools, tenant, refundId, body.account, name);
    return { refundId, status };
  }),
];
