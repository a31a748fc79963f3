import {
  promoteSigningSecret as promoteOperation,
  rotateSigningSecret as rotateOperation,
  setWebhookStatus as setStatusOperation,
  stageSigningSecret as stageOperation,
  triggerTestWebhook as triggerOperation,
} from '@florin/contract';
import {
  promoteSigningSecret,
  rotateSigningSecret,
  setWebhookStatus,
  stageSigningSecret,
} from '#modules/webhooks/index.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { Tools } from '#platform/tools.ts';
import { triggerTestWebhook } from './test-events/trigger-test-webhook.ts';

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
