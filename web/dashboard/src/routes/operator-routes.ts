import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { operatorFilters } from './operator-filters.ts';
import { rootRoute } from './root-route.tsx';

/** Every page of the operator of the installation. */
export const operatorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operator',
  component: lazyRouteComponent(() => import('../shell/operator-shell.tsx'), 'OperatorShell'),
});

const start = createRoute({
  getParentRoute: () => operatorRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/operator/merchants' });
  },
});

const merchants = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'merchants',
  validateSearch: operatorFilters.merchants,
  component: lazyRouteComponent(
    () => import('../pages/operator/merchants/merchants-page.tsx'),
    'MerchantsPage',
  ),
});

const merchant = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'merchants/$merchantId',
  validateSearch: operatorFilters.merchant,
  component: lazyRouteComponent(
    () => import('../pages/operator/merchants/merchant-page.tsx'),
    'MerchantPage',
  ),
});

const payment = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'merchants/$merchantId/payments/$paymentRequestId',
  validateSearch: operatorFilters.merchant,
  component: lazyRouteComponent(
    () => import('../pages/operator/payment-record-page.tsx'),
    'PaymentRecordPage',
  ),
});

const cases = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'cases',
  validateSearch: operatorFilters.cases,
  component: lazyRouteComponent(() => import('../pages/operator/cases-page.tsx'), 'CasesPage'),
});

const operatorCase = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'cases/$caseId',
  component: lazyRouteComponent(() => import('../pages/operator/case-page.tsx'), 'CasePage'),
});

const banks = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'banks',
  validateSearch: operatorFilters.banks,
  component: lazyRouteComponent(() => import('../pages/operator/banks-page.tsx'), 'BanksPage'),
});

const queues = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'queues',
  validateSearch: operatorFilters.queues,
  component: lazyRouteComponent(() => import('../pages/operator/queues-page.tsx'), 'QueuesPage'),
});

const jobs = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'jobs',
  validateSearch: operatorFilters.jobs,
  component: lazyRouteComponent(() => import('../pages/operator/jobs-page.tsx'), 'JobsPage'),
});

const mails = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'mails',
  validateSearch: operatorFilters.mails,
  component: lazyRouteComponent(() => import('../pages/operator/mails-page.tsx'), 'MailsPage'),
});

const ledger = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'ledger',
  component: lazyRouteComponent(() => import('../pages/operator/ledger-page.tsx'), 'LedgerPage'),
});

const audit = createRoute({
  getParentRoute: () => operatorRoute,
  path: 'audit',
  validateSearch: operatorFilters.audit,
  component: lazyRouteComponent(
    () => import('../pages/operator/audit-records-page.tsx'),
    'AuditRecordsPage',
  ),
});

export const operatorRoutes = [
  start,
  merchants,
  merchant,
  payment,
  cases,
  operatorCase,
  banks,
  queues,
  jobs,
  mails,
  ledger,
  audit,
] as const;
