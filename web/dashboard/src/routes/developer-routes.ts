import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readDeliveryFilters } from '../pages/developers/deliveries/delivery-filters.ts';
import { readLogFilters } from '../pages/developers/logs/log-filters.ts';
import { tenantRoute } from './tenant-route.ts';

const secrets = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/secrets',
  component: lazyRouteComponent(
    () => import('../pages/developers/secrets/secrets-page.tsx'),
    'SecretsPage',
  ),
});

const webhooks = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/webhooks',
  component: lazyRouteComponent(
    () => import('../pages/developers/webhooks/webhooks-page.tsx'),
    'WebhooksPage',
  ),
});

const webhook = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/webhooks/$endpointId',
  validateSearch: readDeliveryFilters,
  component: lazyRouteComponent(
    () => import('../pages/developers/webhooks/webhook-page.tsx'),
    'WebhookPage',
  ),
});

const deliveries = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/deliveries',
  validateSearch: readDeliveryFilters,
  component: lazyRouteComponent(
    () => import('../pages/developers/deliveries/deliveries-page.tsx'),
    'DeliveriesPage',
  ),
});

const delivery = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/deliveries/$endpointId/$deliveryId',
  component: lazyRouteComponent(
    () => import('../pages/developers/deliveries/delivery-page.tsx'),
    'DeliveryPage',
  ),
});

const requests = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/requests',
  validateSearch: readLogFilters,
  component: lazyRouteComponent(
    () => import('../pages/developers/logs/requests-page.tsx'),
    'RequestsPage',
  ),
});

const events = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/events',
  validateSearch: readLogFilters,
  component: lazyRouteComponent(
    () => import('../pages/developers/logs/events-page.tsx'),
    'EventsPage',
  ),
});

const sandbox = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'developers/sandbox',
  component: lazyRouteComponent(
    () => import('../pages/developers/sandbox/sandbox-page.tsx'),
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
