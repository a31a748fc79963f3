import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { loadPatiently } from './call/connection.ts';
import { isEnvironment } from './call/tenant.ts';
import { focusPage } from './parts/focus-page.ts';
import { FailedPage, MissingPage, WaitingPage } from './parts/layout.tsx';
import { Application } from './shell/application.tsx';
import { TenantShell } from './shell/tenant-shell.tsx';

const rootRoute = createRootRoute({
  component: Application,
  notFoundComponent: MissingPage,
  errorComponent: FailedPage,
});

/** Every page of a merchant in one environment. */
const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$merchantId/$environment',
  beforeLoad: ({ params }) => {
    if (!isEnvironment(params.environment)) throw notFound();
  },
  component: TenantShell,
});

/** Every page of the operator of the installation. */
const operatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator',
  component: lazyRouteComponent(
    () => loadPatiently(() => import('./shell/operator-shell.tsx')),
    'OperatorShell',
  ),
});

const operatorStart = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/operator/merchants' });
  },
});

type PageName = `${string}Page`;
type Page = () => ReactNode;

/** A page at its address: what its file exports as `…Page`. Its code is loaded when it is opened. */
const pagesUnder =
  <const Parent extends AnyRoute>(parent: Parent) =>
  <const Path extends string, Module extends { readonly [Name in keyof Module & PageName]: Page }>(
    path: Path,
    load: () => Promise<Module>,
  ) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      component: lazyRouteComponent(async () => ({ default: pageIn(await loadPatiently(load)) })),
    });

const pageIn = (module: object): Page => {
  const [, page] = Object.entries(module).find(([name]) => name.endsWith('Page')) ?? [];
  if (!page) throw new Error('This file exports no page.');
  return page;
};

/** Without a merchant. */
const page = pagesUnder(rootRoute);
const ofOperator = pagesUnder(operatorRoute);
const ofTenant = pagesUnder(tenantRoute);

const routeTree = rootRoute.addChildren([
  page('/sign-up', () => import('./pages/sign-in/sign-up-page.tsx')),
  page('/invites', () => import('./pages/team/accept-invite-page.tsx')),
  page('/forgotten-password', () => import('./pages/sign-in/forgotten-password-page.tsx')),
  page('/new-password', () => import('./pages/sign-in/new-password-page.tsx')),
  page('/verify-email', () => import('./pages/sign-in/verify-email-page.tsx')),
  page('/account', () => import('./pages/account/account-page.tsx')),
  page('/', () => import('./pages/start-page.tsx')),
  operatorRoute.addChildren([
    operatorStart,
    ofOperator('merchants', () => import('./pages/operator/merchants/merchants-page.tsx')),
    ofOperator(
      'merchants/$merchantId',
      () => import('./pages/operator/merchants/merchant-page.tsx'),
    ),
    ofOperator(
      'merchants/$merchantId/payments/$paymentRequestId',
      () => import('./pages/operator/payment-record-page.tsx'),
    ),
    ofOperator('payments', () => import('./pages/operator/find-payments-page.tsx')),
    ofOperator('cases', () => import('./pages/operator/cases-page.tsx')),
    ofOperator('cases/$caseId', () => import('./pages/operator/case-page.tsx')),
    ofOperator('banks', () => import('./pages/operator/banks-page.tsx')),
    ofOperator('queues', () => import('./pages/operator/queues-page.tsx')),
    ofOperator('jobs', () => import('./pages/operator/jobs-page.tsx')),
    ofOperator('mails', () => import('./pages/operator/mails-page.tsx')),
    ofOperator('ledger', () => import('./pages/operator/ledger-page.tsx')),
    ofOperator('audit', () => import('./pages/operator/audit-records-page.tsx')),
  ]),
  tenantRoute.addChildren([
    ofTenant('home', () => import('./pages/home/home-page.tsx')),
    ofTenant('home/rows', () => import('./pages/home/money-rows-page.tsx')),
    ofTenant('home/statement', () => import('./pages/home/statement-page.tsx')),
    ofTenant('payments', () => import('./pages/payments/payments-page.tsx')),
    ofTenant('payments/$paymentRequestId', () => import('./pages/payments/payment-page.tsx')),
    ofTenant('refunds', () => import('./pages/payments/refunds-page.tsx')),
    ofTenant('disputes', () => import('./pages/payments/disputes-page.tsx')),
    ofTenant(
      'disputes/$paymentRequestId/$disputeReference',
      () => import('./pages/payments/dispute-page.tsx'),
    ),
    ofTenant('payouts', () => import('./pages/payouts/payouts-page.tsx')),
    ofTenant('payouts/$payoutId', () => import('./pages/payouts/payout-page.tsx')),
    ofTenant('customers', () => import('./pages/customers-page.tsx')),
    ofTenant('customers/$customerId', () => import('./pages/customer-page.tsx')),
    ofTenant('links', () => import('./pages/links/links-page.tsx')),
    ofTenant('links/$paymentRequestId', () => import('./pages/links/link-page.tsx')),
    ofTenant('codes', () => import('./pages/codes/codes-page.tsx')),
    ofTenant('codes/print', () => import('./pages/codes/print-codes-page.tsx')),
    ofTenant('till', () => import('./pages/till/till-page.tsx')),
    ofTenant('till/cash-up', () => import('./pages/till/cash-up-page.tsx')),
    ofTenant('till/$paymentRequestId', () => import('./pages/till/sale-page.tsx')),
    ofTenant('bank-feed', () => import('./pages/bank-feed/bank-feed-page.tsx')),
    ofTenant('bank-feed/$accountAuthId', () => import('./pages/bank-feed/bank-link-page.tsx')),
    ofTenant(
      'bank-feed/$accountAuthId/$accountId',
      () => import('./pages/bank-feed/bank-account-page.tsx'),
    ),
    ofTenant('settings/profile', () => import('./pages/settings/profile-page.tsx')),
    ofTenant('settings/go-live', () => import('./pages/settings/go-live-page.tsx')),
    ofTenant('settings/payments', () => import('./pages/settings/methods-page.tsx')),
    ofTenant('settings/payouts', () => import('./pages/settings/payout-settings-page.tsx')),
    ofTenant('settings/stores', () => import('./pages/settings/stores-page.tsx')),
    ofTenant('settings/checkout', () => import('./pages/settings/checkout-page.tsx')),
    ofTenant('settings/notifications', () => import('./pages/settings/notifications-page.tsx')),
    ofTenant('settings/team', () => import('./pages/team/team-page.tsx')),
    ofTenant('settings/audit', () => import('./pages/audit-page.tsx')),
    ofTenant('developers/secrets', () => import('./pages/developers/secrets-page.tsx')),
    ofTenant('developers/webhooks', () => import('./pages/developers/webhooks-page.tsx')),
    ofTenant(
      'developers/webhooks/$endpointId',
      () => import('./pages/developers/webhook-page.tsx'),
    ),
    ofTenant('developers/deliveries', () => import('./pages/developers/deliveries-page.tsx')),
    ofTenant(
      'developers/deliveries/$endpointId/$deliveryId',
      () => import('./pages/developers/delivery-page.tsx'),
    ),
    ofTenant('developers/requests', () => import('./pages/developers/requests-page.tsx')),
    ofTenant('developers/events', () => import('./pages/developers/events-page.tsx')),
    ofTenant('developers/sandbox', () => import('./pages/developers/sandbox-page.tsx')),
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
  defaultErrorComponent: FailedPage,
  defaultPendingComponent: WaitingPage,
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
