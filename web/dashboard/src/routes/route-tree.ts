import { bankFeedRoutes } from './bank-feed-routes.ts';
import { codesRoutes } from './codes-routes.ts';
import { customersRoutes } from './customers-routes.ts';
import { developerRoutes } from './developer-routes.ts';
import { homeRoutes } from './home-routes.ts';
import { linksRoutes } from './links-routes.ts';
import { operatorRoute, operatorRoutes } from './operator-routes.ts';
import { paymentsRoutes } from './payments-routes.ts';
import { payoutsRoutes } from './payouts-routes.ts';
import { personRoutes } from './person-routes.ts';
import { refundsRoutes } from './refunds-routes.ts';
import { rootRoute } from './root-route.ts';
import { settingsRoutes } from './settings-routes.ts';
import { teamRoutes } from './team-routes.ts';
import { tenantRoute } from './tenant-route.ts';
import { tillRoutes } from './till-routes.ts';

export const routeTree = rootRoute.addChildren([
  ...personRoutes,
  operatorRoute.addChildren([...operatorRoutes]),
  tenantRoute.addChildren([
    ...homeRoutes,
    ...paymentsRoutes,
    ...refundsRoutes,
    ...payoutsRoutes,
    ...customersRoutes,
    ...linksRoutes,
    ...codesRoutes,
    ...tillRoutes,
    ...bankFeedRoutes,
    ...developerRoutes,
    ...settingsRoutes,
    ...teamRoutes,
  ]),
]);
