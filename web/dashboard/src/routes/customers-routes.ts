import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readCustomerFilters } from '../pages/customers/customer-filters.ts';
import { tenantRoute } from './tenant-route.ts';

const customers = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'customers',
  validateSearch: readCustomerFilters,
  component: lazyRouteComponent(
    () => import('../pages/customers/customers-page.tsx'),
    'CustomersPage',
  ),
});

const customer = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'customers/$customerId',
  component: lazyRouteComponent(
    () => import('../pages/customers/customer-page.tsx'),
    'CustomerPage',
  ),
});

export const customersRoutes = [customers, customer] as const;
