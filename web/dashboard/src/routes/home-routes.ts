import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readHomeFilters, readMoneyRowFilters } from '../pages/home/home-filters.ts';
import { tenantRoute } from './tenant-route.ts';

const home = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'home',
  validateSearch: readHomeFilters,
  component: lazyRouteComponent(() => import('../pages/home/home-page.tsx'), 'HomePage'),
});

const rows = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'home/rows',
  validateSearch: readMoneyRowFilters,
  component: lazyRouteComponent(
    () => import('../pages/home/rows/money-rows-page.tsx'),
    'MoneyRowsPage',
  ),
});

export const homeRoutes = [home, rows] as const;
