import type { Route } from './payment-call.ts';
import {
  getConsent,
  getFundsConfirmation,
  getPayment,
  getPaymentDetails,
  postConsent,
  postPayment,
} from './payment-operations.ts';

export const paymentRoutes: readonly Route[] = [
  { path: /^\/domestic-payment-consents$/, methods: { POST: postConsent } },
  { path: /^\/domestic-payment-consents\/([^/]+)$/, methods: { GET: getConsent } },
  {
    path: /^\/domestic-payment-consents\/([^/]+)\/funds-confirmation$/,
    methods: { GET: getFundsConfirmation },
  },
  { path: /^\/domestic-payments$/, methods: { POST: postPayment } },
  { path: /^\/domestic-payments\/([^/]+)$/, methods: { GET: getPayment } },
  { path: /^\/domestic-payments\/([^/]+)\/payment-details$/, methods: { GET: getPaymentDetails } },
];
