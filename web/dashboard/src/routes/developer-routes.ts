import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readDeliveryFilters, readLogFilters } from './tenant-filters.ts';
import { tenantRoute } from './tenant-routes.ts';

const secrets = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/secrets',
  component: lazyRouteComponent(
    () => import('../pages/developers/secrets-page.tsx'),
    'SecretsPage',
  ),
});

const webhooks = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/webhooks',
  component: lazyRouteComponent(
    () => import('../pages/developers/webhooks-page.tsx'),
    'WebhooksPage',
  ),
});

const webhook = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/webhooks/$endpointId',
  validateSearch: readDeliveryFilters,
  component: lazyRouteComponent(
    () => import('../pages/developers/webhook-page.tsx'),
    'WebhookPage',
  ),
});

const deliveries = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/deliveries',
  validateSearch: readDeliveryFilters,
  component: lazyRouteComponent(
    () => import('../pages/developers/deliveries-page.tsx'),
    'DeliveriesPage',
  ),
});

const delivery = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/deliveries/$endpointId/$deliveryId',
  component: lazyRouteComponent(
    () => import('../pages/developers/delivery-page.tsx'),
    'DeliveryPage',
  ),
});

const requests = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/requests',
  validateSearch: readLogFilters,
  component: lazyRouteComponent(
    () => import('../pages/developers/requests-page.tsx'),
    'RequestsPage',
  ),
});

const events = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/events',
  validateSearch: readLogFilters,
  component: lazyRouteComponent(() => import('../pages/developers/events-page.tsx'), 'EventsPage'),
});

const sandbox = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/sandbox',
  component: lazyRouteComponent(
    () => import('../pages/developers/sandbox-page.tsx'),
    'SandboxPage',
  ),
});

export const developerRoutes = [
  secrets,
  webhooks,
  webhook,
  deliveries,
  delivery,
  requests,
  events,
  sandbox,
] as const;
