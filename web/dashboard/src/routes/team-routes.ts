import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readAuditFilters } from '../pages/audit/audit-filters.ts';
import { tenantRoute } from './tenant-route.ts';

const team = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/team',
  component: lazyRouteComponent(() => import('../pages/team/team-page.tsx'), 'TeamPage'),
});

const audit = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/audit',
  validateSearch: readAuditFilters,
  component: lazyRouteComponent(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
});

export const teamRoutes = [team, audit] as const;
