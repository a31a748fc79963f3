import { lifecycle } from '#kernel/lifecycle.ts';

/** REFUND-2. A simulated failure of the sandbox begins, and ends, as FAILED (REFUND-6). */
export const refundLifecycle = lifecycle({
  name: 'refund',
  initial: 'INITIATED',
  alsoStartsAt: ['FAILED'],
  states: ['INITIATED', 'PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'],
  edges: [
    { from: 'INITIATED', trigger: 'prepared', to: 'PENDING' },
    { from: 'INITIATED', trigger: 'cancelled', to: 'CANCELLED' },
    { from: 'INITIATED', trigger: 'paymentReversed', to: 'FAILED' },
    { from: 'PENDING', trigger: 'cancelled', to: 'CANCELLED' },
    { from: 'PENDING', trigger: 'paymentReversed', to: 'FAILED' },
    { from: 'PENDING', trigger: 'settled', to: 'COMPLETED' },
    { from: 'PENDING', trigger: 'rejected', to: 'FAILED' },
    // The bank or the processor had confirmed it, and the money came back.
    { from: 'COMPLETED', trigger: 'returned', to: 'FAILED' },
  ],
});

export type RefundStatus = (typeof refundLifecycle.states)[number];
export type RefundTrigger = (typeof refundLifecycle.edges)[number]['trigger'];
