import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root-route.ts';

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: ({ next }: { readonly next?: unknown }): { readonly next?: string } =>
    typeof next === 'string' ? { next } : {},
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const signUp = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-up-page.tsx'), 'SignUpPage'),
});

const invite = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invites/$token',
  component: lazyRouteComponent(
    () => import('../pages/team/accept-invite-page.tsx'),
    'AcceptInvitePage',
  ),
});

const account = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
});

const start = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/start-page.tsx'), 'StartPage'),
});

/** Pages of a person, without a merchant. */
export const personRoutes = [start, signIn, signUp, invite, account] as const;
