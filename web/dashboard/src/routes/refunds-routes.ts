import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readRefundFilters } from '../pages/refunds/refund-filters.ts';
import { tenantRoute } from './tenant-route.ts';

const refunds = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'refunds',
  validateSearch: readRefundFilters,
  component: lazyRouteComponent(() => import('../pages/refunds/refunds-page.tsx'), 'RefundsPage'),
});

export const refundsRoutes = [refunds] as const;
