import { lifecycle } from '#kernel/lifecycle.ts';

/** What arrived on the collecting account (PAYOUT-4). */
export const creditLifecycle = lifecycle({
  name: 'credit on the collecting account',
  initial: 'OPEN',
  states: ['OPEN', 'MATCHED', 'UNMATCHED', 'REVERSED'],
  edges: [
    { from: 'OPEN', trigger: 'matched', to: 'MATCHED' },
    { from: 'OPEN', trigger: 'notExplained', to: 'UNMATCHED' },
    { from: 'OPEN', trigger: 'reversed', to: 'REVERSED' },
    { from: 'UNMATCHED', trigger: 'matchedByOperator', to: 'MATCHED' },
    { from: 'UNMATCHED', trigger: 'reversed', to: 'REVERSED' },
    { from: 'MATCHED', trigger: 'reversed', to: 'REVERSED' },
  ],
});

export type CreditStatus = (typeof creditLifecycle.states)[number];
