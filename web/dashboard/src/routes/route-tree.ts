import { customersRoutes } from './customers-routes.ts';
import { homeRoutes } from './home-routes.ts';
import { paymentsRoutes } from './payments-routes.ts';
import { payoutsRoutes } from './payouts-routes.ts';
import { personRoutes } from './person-routes.ts';
import { refundsRoutes } from './refunds-routes.ts';
import { rootRoute } from './root-route.ts';
import { tenantRoute } from './tenant-route.ts';

export const routeTree = rootRoute.addChildren([
  ...personRoutes,
  tenantRoute.addChildren([
    ...homeRoutes,
    ...paymentsRoutes,
    ...refundsRoutes,
    ...payoutsRoutes,
    ...customersRoutes,
  ]),
]);
