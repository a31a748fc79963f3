import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from './tenant-route.ts';

const team = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/team',
  component: lazyRouteComponent(() => import('../pages/team/team-page.tsx'), 'TeamPage'),
});

export const teamRoutes = [team] as const;
