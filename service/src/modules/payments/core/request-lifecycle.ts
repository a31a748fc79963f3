import { lifecycle } from '#kernel/lifecycle.ts';

/** What the merchant asked for (REQUEST-4). */
export const requestLifecycle = lifecycle({
  name: 'payment request',
  initial: 'OPEN',
  states: ['OPEN', 'PAID', 'EXPIRED', 'CANCELLED', 'CLOSED'],
  edges: [
    { from: 'OPEN', trigger: 'paid', to: 'PAID' },
    { from: 'OPEN', trigger: 'expired', to: 'EXPIRED' },
    { from: 'OPEN', trigger: 'cancelledByMerchant', to: 'CANCELLED' },
    // The only attempt of a charge has ended without the whole amount: it has no page for another.
    { from: 'OPEN', trigger: 'chargeEnded', to: 'CLOSED' },
    // The bank reversed the payment: the request waits for money again.
    { from: 'PAID', trigger: 'paymentReversed', to: 'OPEN' },
  ],
});

export type RequestStatus = (typeof requestLifecycle.states)[number];
export type RequestTrigger = (typeof requestLifecycle.edges)[number]['trigger'];
