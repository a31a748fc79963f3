import {
  enterSandboxRefundAccount,
  promoteSigningSecret as promoteOperation,
  rotateSigningSecret as rotateOperation,
  type SandboxScenario,
  setSandboxAmountParts,
  setSandboxSwitches,
  setSandboxTips,
  setWebhookStatus as setStatusOperation,
  stageSigningSecret as stageOperation,
  triggerTestWebhook as triggerOperation,
} from '@florin/contract';
import { setAmountParts, setSwitches, setTips } from '#modules/merchants/index.ts';
import { enterRefundAccount } from '#modules/refunds/index.ts';
import {
  promoteSigningSecret,
  rotateSigningSecret,
  setWebhookStatus,
  stageSigningSecret,
} from '#modules/webhooks/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Tools, Uses } from '#platform/tools.ts';
import { clockRoutes } from './clock.ts';
import { linkInSandboxRoutes } from './link-in-sandbox.ts';
import { payInSandboxRoutes } from './pay-in-sandbox.ts';
import { triggerTestWebhook } from './test-events.ts';

type RefundTools = Uses<'database' | 'ids' | 'secrets' | 'wakeDispatcher'>;

const refundRoutes = (tools: RefundTools): readonly Route[] => [
  route(enterSandboxRefundAccount, async ({ params, body, decideOnce }, { tenant }) => {
    const { refundId } = params;
    const { account } = body;
    const entered = [refundId, account, 'merchant', decideOnce] as const;
    const { status } = await enterRefundAccount(tools, tenant, ...entered);
    return { refundId, status };
  }),
];

/** Settings that the operator's command changes in production. */
export const settingsRoutes = (tools: Uses<'database' | 'ids'>): readonly Route[] => [
  route(setSandboxSwitches, ({ body }, { tenant }) => setSwitches(tools, tenant, body)),
  route(setSandboxTips, ({ body }, { tenant }) => setTips(tools, tenant, body)),
  route(setSandboxAmountParts, ({ body }, { tenant }) => setAmountParts(tools, tenant, body)),
];

/** What the operator's command does for production, and test events. */
export const webhookRoutes = (tools: Tools): readonly Route[] => [
  route(rotateOperation, ({ body }, { tenant }) =>
    rotateSigningSecret(tools, tenant, body.overlapHours),
  ),
  route(stageOperation, (_, { tenant }) => stageSigningSecret(tools, tenant)),
  route(promoteOperation, ({ body, decideOnce }, { tenant }) =>
    promoteSigningSecret(tools, tenant, body.overlapHours, decideOnce),
  ),
  route(setStatusOperation, ({ params, body }, { tenant }) =>
    setWebhookStatus(tools, tenant, params.endpointId, body.status),
  ),
  route(triggerOperation, ({ body, decideOnce }, caller) =>
    triggerTestWebhook(tools, caller, body, decideOnce),
  ),
];

/** Names to sign in with at a simulated bank; its login page lists all of them. */
export const scenarios: readonly SandboxScenario[] = [
  { input: 'approve', outcome: 'The payment succeeds.' },
  { input: 'decline', outcome: 'The customer declines at the bank.' },
  { input: 'insufficient-funds', outcome: 'The bank rejects the payment.' },
  { input: 'slow', outcome: 'The bank takes its time.' },
  { input: 'stuck', outcome: 'Pending for long, then rejected.' },
  { input: 'rejected-late', outcome: 'Accepted, then taken back.' },
];

type SandboxTools = Tools &
  Parameters<typeof clockRoutes>[0] &
  Parameters<typeof payInSandboxRoutes>[0] &
  Parameters<typeof linkInSandboxRoutes>[0];

export const sandboxRoutes = (tools: SandboxTools): readonly Route[] => [
  ...settingsRoutes(tools),
  ...clockRoutes(tools),
  ...payInSandboxRoutes(tools),
  ...linkInSandboxRoutes(tools),
  ...refundRoutes(tools),
  ...webhookRoutes(tools),
];
