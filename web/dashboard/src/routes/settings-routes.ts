import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from './tenant-route.ts';

const profile = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/profile',
  component: lazyRouteComponent(() => import('../pages/settings/profile-page.tsx'), 'ProfilePage'),
});

const stores = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/stores',
  component: lazyRouteComponent(() => import('../pages/settings/stores-page.tsx'), 'StoresPage'),
});

const checkout = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/checkout',
  component: lazyRouteComponent(
    () => import('../pages/settings/checkout-page.tsx'),
    'CheckoutPage',
  ),
});

const notifications = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/notifications',
  component: lazyRouteComponent(
    () => import('../pages/settings/notifications-page.tsx'),
    'NotificationsPage',
  ),
});

export const settingsRoutes = [profile, stores, checkout, notifications] as const;
