import {
  promoteSigningSecret as promoteOperation,
  rotateSigningSecret as rotateOperation,
  setWebhookStatus as setStatusOperation,
  stageSigningSecret as stageOperation,
  triggerTestWebhook as triggerOperation,
} from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import type { Tools } from '#platform/tools.ts';
import { setWebhookStatus } from './endpoints/set-webhook-status.ts';
import { promoteSigningSecret } from './secrets/promote-signing-secret.ts';
import { rotateSigningSecret } from './secrets/rotate-signing-secret.ts';
import { stageSigningSecret } from './secrets/stage-signing-secret.ts';
import { triggerTestWebhook } from './trigger-test-webhook.ts';

export const sandboxRoutes = (tools: Tools): readonly Route[] => [
  route(rotateOperation, ({ body }, { tenant }) =>
    rotateSigningSecret(tools, tenant, body.overlapHours),
  ),
  route(stageOperation, (_, { tenant }) => stageSigningSecret(tools, tenant)),
  route(promoteOperation, ({ body }, { tenant }) =>
    promoteSigningSecret(tools, tenant, body.overlapHours),
  ),
  route(setStatusOperation, ({ params, body }, { tenant }) =>
    setWebhookStatus(tools, tenant, params.endpointId, body.status),
  ),
  route(triggerOperation, ({ body }, caller) => triggerTestWebhook(tools, caller, body)),
];
