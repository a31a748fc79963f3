import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { isEnvironment } from '../call/tenant.ts';
import { TenantShell } from '../shell/tenant-shell.tsx';
import { rootRoute } from './root-route.tsx';
import {
  readAuditFilters,
  readBankFeedFilters,
  readCustomerFilters,
  readHomeFilters,
  readMoneyRowFilters,
  readPaymentFilters,
  readPaymentTab,
  readPayoutFilters,
  readRefundFilters,
  readTransactionFilters,
} from './tenant-filters.ts';

/** Every page of a merchant in one environment. */
export const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$merchantId/$environment',
  beforeLoad: ({ params }) => {
    if (!isEnvironment(params.environment)) throw notFound();
  },
  component: TenantShell,
});

const home = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'home',
  validateSearch: readHomeFilters,
  component: lazyRouteComponent(() => import('../pages/home/home-page.tsx'), 'HomePage'),
});

const rows = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'home/rows',
  validateSearch: readMoneyRowFilters,
  component: lazyRouteComponent(() => import('../pages/home/money-rows-page.tsx'), 'MoneyRowsPage'),
});

export const homeRoutes = [home, rows] as const;

const payments = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'payments',
  validateSearch: readPaymentFilters,
  component: lazyRouteComponent(
    () => import('../pages/payments/payments-page.tsx'),
    'PaymentsPage',
  ),
});

const payment = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'payments/$paymentRequestId',
  validateSearch: readPaymentTab,
  component: lazyRouteComponent(() => import('../pages/payments/payment-page.tsx'), 'PaymentPage'),
});

export const paymentsRoutes = [payments, payment] as const;

const refunds = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'refunds',
  validateSearch: readRefundFilters,
  component: lazyRouteComponent(() => import('../pages/payments/refunds-page.tsx'), 'RefundsPage'),
});

export const refundsRoutes = [refunds] as const;

const payouts = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'payouts',
  validateSearch: readPayoutFilters,
  component: lazyRouteComponent(() => import('../pages/payouts/payouts-page.tsx'), 'PayoutsPage'),
});

const payout = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'payouts/$payoutId',
  component: lazyRouteComponent(() => import('../pages/payouts/payout-page.tsx'), 'PayoutPage'),
});

export const payoutsRoutes = [payouts, payout] as const;

const customers = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'customers',
  validateSearch: readCustomerFilters,
  component: lazyRouteComponent(() => import('../pages/customers-page.tsx'), 'CustomersPage'),
});

const customer = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'customers/$customerId',
  component: lazyRouteComponent(() => import('../pages/customer-page.tsx'), 'CustomerPage'),
});

export const customersRoutes = [customers, customer] as const;

const links = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'links',
  component: lazyRouteComponent(() => import('../pages/links/links-page.tsx'), 'LinksPage'),
});

const link = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'links/$paymentRequestId',
  component: lazyRouteComponent(() => import('../pages/links/link-page.tsx'), 'LinkPage'),
});

export const linksRoutes = [links, link] as const;

const codes = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'codes',
  component: lazyRouteComponent(() => import('../pages/codes/codes-page.tsx'), 'CodesPage'),
});

const print = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'codes/print',
  component: lazyRouteComponent(
    () => import('../pages/codes/print-codes-page.tsx'),
    'PrintCodesPage',
  ),
});

export const codesRoutes = [codes, print] as const;

const till = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'till',
  component: lazyRouteComponent(() => import('../pages/till/till-page.tsx'), 'TillPage'),
});

const sale = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'till/$paymentRequestId',
  component: lazyRouteComponent(() => import('../pages/till/sale-page.tsx'), 'SalePage'),
});

export const tillRoutes = [till, sale] as const;

const bankFeed = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'bank-feed',
  validateSearch: readBankFeedFilters,
  component: lazyRouteComponent(
    () => import('../pages/bank-feed/bank-feed-page.tsx'),
    'BankFeedPage',
  ),
});

const bankLink = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'bank-feed/$accountAuthId',
  component: lazyRouteComponent(
    () => import('../pages/bank-feed/bank-link-page.tsx'),
    'BankLinkPage',
  ),
});

const bankAccount = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'bank-feed/$accountAuthId/$accountId',
  validateSearch: readTransactionFilters,
  component: lazyRouteComponent(
    () => import('../pages/bank-feed/bank-account-page.tsx'),
    'BankAccountPage',
  ),
});

export const bankFeedRoutes = [bankFeed, bankLink, bankAccount] as const;

const profile = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/profile',
  component: lazyRouteComponent(() => import('../pages/settings/profile-page.tsx'), 'ProfilePage'),
});

const stores = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/stores',
  component: lazyRouteComponent(() => import('../pages/settings/stores-page.tsx'), 'StoresPage'),
});

const checkout = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/checkout',
  component: lazyRouteComponent(
    () => import('../pages/settings/checkout-page.tsx'),
    'CheckoutPage',
  ),
});

const notifications = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/notifications',
  component: lazyRouteComponent(
    () => import('../pages/settings/notifications-page.tsx'),
    'NotificationsPage',
  ),
});

export const settingsRoutes = [profile, stores, checkout, notifications] as const;

const team = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/team',
  component: lazyRouteComponent(() => import('../pages/team/team-page.tsx'), 'TeamPage'),
});

const audit = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'settings/audit',
  validateSearch: readAuditFilters,
  component: lazyRouteComponent(() => import('../pages/audit-page.tsx'), 'AuditPage'),
});

export const teamRoutes = [team, audit] as const;
