import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root-route.tsx';

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

const forgottenPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgotten-password',
  component: lazyRouteComponent(
    () => import('../pages/sign-in/forgotten-password-page.tsx'),
    'ForgottenPasswordPage',
  ),
});

const newPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new-password/$token',
  component: lazyRouteComponent(
    () => import('../pages/sign-in/new-password-page.tsx'),
    'NewPasswordPage',
  ),
});

const verifyEmail = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email/$token',
  component: lazyRouteComponent(
    () => import('../pages/sign-in/verify-email-page.tsx'),
    'VerifyEmailPage',
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
export const personRoutes = [
  start,
  signIn,
  signUp,
  forgottenPassword,
  newPassword,
  verifyEmail,
  invite,
  account,
] as const;
