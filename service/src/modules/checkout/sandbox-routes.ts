import type { ReplyOf } from '@florin/contract';
import { payInSandbox as described } from '@florin/contract';
import type { Payment } from '#modules/payments/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import { payInSandbox } from './pay-in-sandbox.ts';

export type SandboxTools = Parameters<typeof payInSandbox>[0] & {
  /** The status object; reading comes after checkout in the order of the modules. */
  readonly readStatus: (payment: Payment) => Promise<ReplyOf<typeof described>>;
};

export const sandboxRoutes = (tools: SandboxTools): readonly Route[] => [
  route(described, async ({ params, body }, { tenant }) =>
    tools.readStatus(await payInSandbox(tools, tenant, params.paymentRequestId, body)),
  ),
];
