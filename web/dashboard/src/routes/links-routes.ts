import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from './tenant-route.ts';

const links = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'links',
  component: lazyRouteComponent(() => import('../pages/links/links-page.tsx'), 'LinksPage'),
});

const link = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'links/$paymentRequestId',
  component: lazyRouteComponent(() => import('../pages/links/link-page.tsx'), 'LinkPage'),
});

export const linksRoutes = [links, link] as const;
