import { lifecycle } from '#kernel/lifecycle.ts';

/** REFUND-11. Approving makes the refund in the same statement, so there is no state between. */
export const approvalLifecycle = lifecycle({
  name: 'refund approval',
  initial: 'WAITING',
  states: ['WAITING', 'REFUNDED', 'DECLINED', 'WITHDRAWN', 'REFUSED'],
  edges: [
    { from: 'WAITING', trigger: 'approved', to: 'REFUNDED' },
    { from: 'WAITING', trigger: 'declined', to: 'DECLINED' },
    { from: 'WAITING', trigger: 'withdrawn', to: 'WITHDRAWN' },
    { from: 'WAITING', trigger: 'refused', to: 'REFUSED' },
  ],
});

export type ApprovalStatus = (typeof approvalLifecycle.states)[number];
export type ApprovalTrigger = (typeof approvalLifecycle.edges)[number]['trigger'];
