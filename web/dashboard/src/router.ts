import { createRouter } from '@tanstack/react-router';
import { focusPage } from './parts/focus-page.ts';
import { developerRoutes } from './routes/developer-routes.ts';
import { operatorRoute, operatorRoutes } from './routes/operator-routes.ts';
import { personRoutes } from './routes/person-routes.ts';
import { rootRoute } from './routes/root-route.tsx';
import {
  bankFeedRoutes,
  codesRoutes,
  customersRoutes,
  homeRoutes,
  linksRoutes,
  paymentsRoutes,
  payoutsRoutes,
  refundsRoutes,
  settingsRoutes,
  teamRoutes,
  tenantRoute,
  tillRoutes,
} from './routes/tenant-routes.ts';

const routeTree = rootRoute.addChildren([
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

/** An address holds words as they are: `?status=FAILED,EXPIRED`, not a JSON text of them. */
const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text));

const stringifySearch = (search: Readonly<Record<string, unknown>>): string => {
  const filled = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(filled.map(([name, value]) => [name, String(value)]));
  // The same filters have one address, whichever was chosen first: a saved view is found by it.
  text.sort();
  // A comma needs no escape in a query.
  return filled.length === 0 ? '' : `?${String(text).replaceAll('%2C', ',')}`;
};

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  defaultPreload: 'intent',
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
});

// Another page: what had the focus is gone or belongs to the page before.
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) focusPage();
});

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to one of the router.
  interface Register {
    router: typeof router;
  }
}
