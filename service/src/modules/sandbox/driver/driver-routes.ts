import { payInSandbox as described } from '@florin/contract';
import { readStatus } from '#modules/status/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import { type DriverTools, payInSandbox } from './pay-in-sandbox.ts';

export const driverRoutes = (tools: DriverTools): readonly Route[] => [
  route(described, async ({ params: { paymentRequestId }, body, decideOnce }, { tenant }) =>
    readStatus(tools, await payInSandbox(tools, tenant, paymentRequestId, body, decideOnce), true),
  ),
];
