import { lifecycle } from '#kernel/lifecycle.ts';

/** PAYOUT-1. */
export const payoutLifecycle = lifecycle({
  name: 'payout',
  initial: 'PENDING',
  states: ['PENDING', 'PROCESSING', 'SETTLED', 'FAILED'],
  edges: [
    { from: 'PENDING', trigger: 'handedOver', to: 'PROCESSING' },
    { from: 'PROCESSING', trigger: 'partEnded', to: 'PROCESSING' },
    { from: 'PROCESSING', trigger: 'settled', to: 'SETTLED' },
    { from: 'PROCESSING', trigger: 'rejected', to: 'FAILED' },
    { from: 'SETTLED', trigger: 'partReturned', to: 'SETTLED' },
    { from: 'SETTLED', trigger: 'returned', to: 'FAILED' },
  ],
});

export type PayoutStatus = (typeof payoutLifecycle.states)[number];
export type PayoutTrigger = (typeof payoutLifecycle.edges)[number]['trigger'];
