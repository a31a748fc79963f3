import { getBankLinkRecord } from '@florin/contract';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { getLinkRecord } from './authorisations/get-link-record.ts';

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(getBankLinkRecord, ({ params: { merchantId, environment, accountAuthId } }) => {
    const named = environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION';
    return getLinkRecord(tools, { merchantId, environment: named }, accountAuthId);
  }),
];
