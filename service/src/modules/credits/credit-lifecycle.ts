import { lifecycle } from '#kernel/lifecycle.ts';

/** What arrived on the collecting account (PAYOUT-4). */
export const creditLifecycle = lifecycle({
  name: 'credit on the collecting account',
  initial: 'OPEN',
  states: ['OPEN', 'MATCHED', 'UNMATCHED', 'TAKEN_BACK'],
  edges: [
    { from: 'OPEN', trigger: 'matched', to: 'MATCHED' },
    { from: 'OPEN', trigger: 'notExplained', to: 'UNMATCHED' },
    { from: 'OPEN', trigger: 'takenBack', to: 'TAKEN_BACK' },
    { from: 'UNMATCHED', trigger: 'matchedByOperator', to: 'MATCHED' },
    { from: 'UNMATCHED', trigger: 'takenBack', to: 'TAKEN_BACK' },
  ],
});

export type CreditStatus = (typeof creditLifecycle.states)[number];
