import { personRoutes } from './person-routes.ts';
import { rootRoute } from './root-route.ts';
import { tenantRoute } from './tenant-route.ts';

export const routeTree = rootRoute.addChildren([...personRoutes, tenantRoute]);
