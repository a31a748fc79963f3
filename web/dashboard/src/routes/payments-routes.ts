import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { readPaymentTab } from '../pages/payments/detail/read-payment-tab.ts';
import { readPaymentFilters } from '../pages/payments/payment-filters.ts';
import { tenantRoute } from './tenant-route.ts';

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
  component: lazyRouteComponent(
    () => import('../pages/payments/detail/payment-page.tsx'),
    'PaymentPage',
  ),
});

export const paymentsRoutes = [payments, payment] as const;
