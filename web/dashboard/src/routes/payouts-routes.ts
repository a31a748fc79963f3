import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readPayoutFilters } from '../pages/payouts/payout-filters.ts';
import { tenantRoute } from './tenant-route.ts';

const payouts = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'payouts',
  validateSearch: readPayoutFilters,
  component: lazyRouteComponent(() => import('../pages/payouts/payouts-page.tsx'), 'PayoutsPage'),
});

const payout = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'payouts/$payoutId',
  component: lazyRouteComponent(() => import('../pages/payouts/payout-page.tsx'), 'PayoutPage'),
});

export const payoutsRoutes = [payouts, payout] as const;
