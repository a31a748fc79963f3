import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from './tenant-route.ts';

const till = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'till',
  component: lazyRouteComponent(() => import('../pages/till/till-page.tsx'), 'TillPage'),
});

const sale = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'till/$paymentRequestId',
  component: lazyRouteComponent(() => import('../pages/till/sale-page.tsx'), 'SalePage'),
});

export const tillRoutes = [till, sale] as const;
