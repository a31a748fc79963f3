import type { Trade } from './trade-steps.ts';

export type DashboardPage = { readonly name: string; readonly path: string };

/** Every page: axe checks it and the command of the pictures draws it. */
export const dashboardPages = ({
  paymentIds,
  customerId,
  saleId,
}: Trade): readonly DashboardPage[] => [
  { name: 'sign-in', path: '/sign-in' },
  { name: 'sign-up', path: '/sign-up' },
  { name: 'forgotten-password', path: '/forgotten-password' },
  { name: 'new-password', path: '/new-password/none' },
  { name: 'verify-email', path: '/verify-email/none' },
  { name: 'account', path: '/account' },
  { name: 'team', path: 'settings/team' },
  { name: 'profile', path: 'settings/profile' },
  { name: 'stores', path: 'settings/stores' },
  { name: 'checkout', path: 'settings/checkout' },
  { name: 'home', path: 'home' },
  { name: 'money-rows', path: 'home/rows?figure=SOLD' },
  { name: 'payments', path: 'payments' },
  { name: 'payments-none', path: 'payments?search=nothing-like-it' },
  { name: 'payment', path: `payments/${paymentIds[0]}` },
  { name: 'payment-timeline', path: `payments/${paymentIds[0]}?tab=timeline` },
  { name: 'payment-json', path: `payments/${paymentIds[0]}?tab=json` },
  { name: 'refunds', path: 'refunds' },
  { name: 'payouts', path: 'payouts' },
  { name: 'customers', path: 'customers' },
  { name: 'customer', path: `customers/${customerId}` },
  { name: 'till', path: 'till' },
  { name: 'till-sale', path: `till/${saleId}` },
  { name: 'secrets', path: 'developers/secrets' },
  { name: 'webhooks', path: 'developers/webhooks' },
  { name: 'deliveries', path: 'developers/deliveries' },
  { name: 'requests', path: 'developers/requests' },
  { name: 'events', path: 'developers/events' },
  { name: 'sandbox', path: 'developers/sandbox' },
];
