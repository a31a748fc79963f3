import type { Route } from '#platform/http/route.ts';
import type { Tools } from '#platform/tools.ts';
import { clockRoutes } from './clock/clock-routes.ts';
import { driverRoutes } from './driver/driver-routes.ts';
import { linkDriverRoutes } from './driver/link-driver-routes.ts';
import { refundRoutes } from './refund-routes.ts';
import { settingsRoutes } from './settings-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

type SandboxTools = Tools &
  Parameters<typeof clockRoutes>[0] &
  Parameters<typeof driverRoutes>[0] &
  Parameters<typeof linkDriverRoutes>[0];

export const sandboxRoutes = (tools: SandboxTools): readonly Route[] => [
  ...settingsRoutes(tools),
  ...clockRoutes(tools),
  ...driverRoutes(tools),
  ...linkDriverRoutes(tools),
  ...refundRoutes(tools),
  ...webhookRoutes(tools),
];
