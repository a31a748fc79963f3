import { rotateSigningSecret as rotateOperation } from '@florin/contract';
import { type Route, route } from '#platform/http/route.ts';
import type { Tools } from '#platform/tools.ts';
import { rotateSigningSecret } from './rotate-signing-secret.ts';

export const sandboxRoutes = (tools: Tools): readonly Route[] => [
  route(rotateOperation, ({ body }, { tenant }) =>
    rotateSigningSecret(tools, tenant, body.overlapHours),
  ),
];
