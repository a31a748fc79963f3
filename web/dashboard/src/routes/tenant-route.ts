import { createRoute, notFound } from '@tanstack/react-router';
import { isEnvironment } from '../call/tenant.ts';
import { TenantShell } from '../shell/tenant-shell.tsx';
import { rootRoute } from './root-route.ts';

/** Every page of a merchant in one environment. */
export const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$merchantId/$environment',
  beforeLoad: ({ params }) => {
    if (!isEnvironment(params.environment)) throw notFound();
  },
  component: TenantShell,
});
