import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from './tenant-route.ts';

const codes = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'codes',
  component: lazyRouteComponent(() => import('../pages/codes/codes-page.tsx'), 'CodesPage'),
});

const print = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'codes/print',
  component: lazyRouteComponent(
    () => import('../pages/codes/print-codes-page.tsx'),
    'PrintCodesPage',
  ),
});

export const codesRoutes = [codes, print] as const;
