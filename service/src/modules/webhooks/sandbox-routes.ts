import {
  rotateSigningSecret as rotateOperation,
  triggerTestWebhook as triggerOperation,
} from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import type { Tools } from '#platform/tools.ts';
import { rotateSigningSecret } from './rotate-signing-secret.ts';
import { triggerTestWebhook } from './trigger-test-webhook.ts';

export const sandboxRoutes = (tools: Tools): readonly Route[] => [
  route(rotateOperation, ({ body }, { tenant }) =>
    rotateSigningSecret(tools, tenant, body.overlapHours),
  ),
  route(triggerOperation, ({ body }, caller) => triggerTestWebhook(tools, caller, body)),
];
