import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router';
import { routeTree } from './routes/route-tree.ts';

/** An address holds words as they are: `?status=FAILED`, not a JSON text of them. */
const asItIs = (value: string): string => value;

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  defaultPreload: 'intent',
  scrollRestoration: true,
  parseSearch: parseSearchWith(asItIs),
  stringifySearch: stringifySearchWith(String),
});

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to one of the router.
  interface Register {
    router: typeof router;
  }
}
