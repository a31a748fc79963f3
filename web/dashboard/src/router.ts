import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isEnvironment } from './call/tenant.ts';
import { focusPage } from './parts/focus-page.ts';
import { FailedPage, MissingPage } from './parts/layout.tsx';
import { TenantShell } from './shell/tenant-shell.tsx';

const rootRoute = createRootRoute({
  component: Outlet,
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
  component: lazyRouteComponent(() => import('./shell/operator-shell.tsx'), 'OperatorShell'),
});

const operatorStart = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/operator/merchants' });
  },
});

type Pages<Name extends string> = Readonly<Record<Name, () => ReactNode>>;

/** A page at its address; its code is loaded when it is opened. */
const pagesUnder =
  <const Parent extends AnyRoute>(parent: Parent) =>
  <const Path extends string, Name extends string>(
    path: Path,
    load: () => Promise<Pages<Name>>,
    name: Name,
  ) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      component: lazyRouteComponent(load as () => Promise<Pages<string>>, name),
    });

/** Without a merchant. */
const page = pagesUnder(rootRoute);
const ofOperator = pagesUnder(operatorRoute);
const ofTenant = pagesUnder(tenantRoute);

const routeTree = rootRoute.addChildren([
  page('/sign-in', () => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
  page('/sign-up', () => import('./pages/sign-in/sign-up-page.tsx'), 'SignUpPage'),
  page('/invites/$token', () => import('./pages/team/accept-invite-page.tsx'), 'AcceptInvitePage'),
  page(
    '/forgotten-password',
    () => import('./pages/sign-in/forgotten-password-page.tsx'),
    'ForgottenPasswordPage',
  ),
  page(
    '/new-password/$token',
    () => import('./pages/sign-in/new-password-page.tsx'),
    'NewPasswordPage',
  ),
  page(
    '/verify-email/$token',
    () => import('./pages/sign-in/verify-email-page.tsx'),
    'VerifyEmailPage',
  ),
  page('/account', () => import('./pages/account/account-page.tsx'), 'AccountPage'),
  page('/', () => import('./pages/start-page.tsx'), 'StartPage'),
  operatorRoute.addChildren([
    operatorStart,
    ofOperator(
      'merchants',
      () => import('./pages/operator/merchants/merchants-page.tsx'),
      'MerchantsPage',
    ),
    ofOperator(
      'merchants/$merchantId',
      () => import('./pages/operator/merchants/merchant-page.tsx'),
      'MerchantPage',
    ),
    ofOperator(
      'merchants/$merchantId/payments/$paymentRequestId',
      () => import('./pages/operator/payment-record-page.tsx'),
      'PaymentRecordPage',
    ),
    ofOperator('cases', () => import('./pages/operator/cases-page.tsx'), 'CasesPage'),
    ofOperator('cases/$caseId', () => import('./pages/operator/case-page.tsx'), 'CasePage'),
    ofOperator('banks', () => import('./pages/operator/banks-page.tsx'), 'BanksPage'),
    ofOperator('queues', () => import('./pages/operator/queues-page.tsx'), 'QueuesPage'),
    ofOperator('jobs', () => import('./pages/operator/jobs-page.tsx'), 'JobsPage'),
    ofOperator('mails', () => import('./pages/operator/mails-page.tsx'), 'MailsPage'),
    ofOperator('ledger', () => import('./pages/operator/ledger-page.tsx'), 'LedgerPage'),
    ofOperator(
      'audit',
      () => import('./pages/operator/audit-records-page.tsx'),
      'AuditRecordsPage',
    ),
  ]),
  tenantRoute.addChildren([
    ofTenant('home', () => import('./pages/home/home-page.tsx'), 'HomePage'),
    ofTenant('home/rows', () => import('./pages/home/money-rows-page.tsx'), 'MoneyRowsPage'),
    ofTenant('payments', () => import('./pages/payments/payments-page.tsx'), 'PaymentsPage'),
    ofTenant(
      'payments/$paymentRequestId',
      () => import('./pages/payments/payment-page.tsx'),
      'PaymentPage',
    ),
    ofTenant('refunds', () => import('./pages/payments/refunds-page.tsx'), 'RefundsPage'),
    ofTenant('payouts', () => import('./pages/payouts/payouts-page.tsx'), 'PayoutsPage'),
    ofTenant('payouts/$payoutId', () => import('./pages/payouts/payout-page.tsx'), 'PayoutPage'),
    ofTenant('customers', () => import('./pages/customers-page.tsx'), 'CustomersPage'),
    ofTenant('customers/$customerId', () => import('./pages/customer-page.tsx'), 'CustomerPage'),
    ofTenant('links', () => import('./pages/links/links-page.tsx'), 'LinksPage'),
    ofTenant('links/$paymentRequestId', () => import('./pages/links/link-page.tsx'), 'LinkPage'),
    ofTenant('codes', () => import('./pages/codes/codes-page.tsx'), 'CodesPage'),
    ofTenant('codes/print', () => import('./pages/codes/print-codes-page.tsx'), 'PrintCodesPage'),
    ofTenant('till', () => import('./pages/till/till-page.tsx'), 'TillPage'),
    ofTenant('till/$paymentRequestId', () => import('./pages/till/sale-page.tsx'), 'SalePage'),
    ofTenant('bank-feed', () => import('./pages/bank-feed/bank-feed-page.tsx'), 'BankFeedPage'),
    ofTenant(
      'bank-feed/$accountAuthId',
      () => import('./pages/bank-feed/bank-link-page.tsx'),
      'BankLinkPage',
    ),
    ofTenant(
      'bank-feed/$accountAuthId/$accountId',
      () => import('./pages/bank-feed/bank-account-page.tsx'),
      'BankAccountPage',
    ),
    ofTenant('settings/profile', () => import('./pages/settings/profile-page.tsx'), 'ProfilePage'),
    ofTenant('settings/stores', () => import('./pages/settings/stores-page.tsx'), 'StoresPage'),
    ofTenant(
      'settings/checkout',
      () => import('./pages/settings/checkout-page.tsx'),
      'CheckoutPage',
    ),
    ofTenant(
      'settings/notifications',
      () => import('./pages/settings/notifications-page.tsx'),
      'NotificationsPage',
    ),
    ofTenant('settings/team', () => import('./pages/team/team-page.tsx'), 'TeamPage'),
    ofTenant('settings/audit', () => import('./pages/audit-page.tsx'), 'AuditPage'),
    ofTenant(
      'developers/secrets',
      () => import('./pages/developers/secrets-page.tsx'),
      'SecretsPage',
    ),
    ofTenant(
      'developers/webhooks',
      () => import('./pages/developers/webhooks-page.tsx'),
      'WebhooksPage',
    ),
    ofTenant(
      'developers/webhooks/$endpointId',
      () => import('./pages/developers/webhook-page.tsx'),
      'WebhookPage',
    ),
    ofTenant(
      'developers/deliveries',
      () => import('./pages/developers/deliveries-page.tsx'),
      'DeliveriesPage',
    ),
    ofTenant(
      'developers/deliveries/$endpointId/$deliveryId',
      () => import('./pages/developers/delivery-page.tsx'),
      'DeliveryPage',
    ),
    ofTenant(
      'developers/requests',
      () => import('./pages/developers/requests-page.tsx'),
      'RequestsPage',
    ),
    ofTenant('developers/events', () => import('./pages/developers/events-page.tsx'), 'EventsPage'),
    ofTenant(
      'developers/sandbox',
      () => import('./pages/developers/sandbox-page.tsx'),
      'SandboxPage',
    ),
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
