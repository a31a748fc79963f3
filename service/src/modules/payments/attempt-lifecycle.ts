import { lifecycle } from '#kernel/lifecycle.ts';

/** One try of one payer to pay by bank (decision 15). PENDING means: handed to the bank. */
export const attemptLifecycle = lifecycle({
  name: 'payment attempt',
  initial: 'AWAITING_AUTHORIZATION',
  states: ['AWAITING_AUTHORIZATION', 'PENDING', 'COMPLETED', 'FAILED', 'CANCELLED'],
  edges: [
    { from: 'AWAITING_AUTHORIZATION', trigger: 'submitted', to: 'PENDING' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'declinedByPayer', to: 'CANCELLED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'superseded', to: 'CANCELLED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'abandoned', to: 'CANCELLED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'requestExpired', to: 'CANCELLED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'requestCancelled', to: 'CANCELLED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'refusedByBank', to: 'FAILED' },
    { from: 'AWAITING_AUTHORIZATION', trigger: 'exchangeLost', to: 'FAILED' },
    { from: 'PENDING', trigger: 'accepted', to: 'COMPLETED' },
    { from: 'PENDING', trigger: 'rejected', to: 'FAILED' },
    // A reversal: the bank had accepted and rejects after all.
    { from: 'COMPLETED', trigger: 'rejectedLater', to: 'FAILED' },
  ],
});

export type AttemptStatus = (typeof attemptLifecycle.states)[number];
export type AttemptTrigger = (typeof attemptLifecycle.edges)[number]['trigger'];

export type AttemptStep =
  | 'CREATING_CONSENT'
  | 'AT_BANK'
  | 'EXCHANGING'
  | 'SUBMITTING'
  | 'SUBMITTED'
  | 'ENDED';

export const isLive = (status: AttemptStatus): boolean =>
  status === 'AWAITING_AUTHORIZATION' || status === 'PENDING';
