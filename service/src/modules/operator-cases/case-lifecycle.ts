import { lifecycle } from '#kernel/lifecycle.ts';

/** A case is open until a person records its outcome. */
export const caseLifecycle = lifecycle({
  name: 'operator case',
  initial: 'OPEN',
  states: ['OPEN', 'RESOLVED'],
  edges: [{ from: 'OPEN', trigger: 'resolved', to: 'RESOLVED' }],
});
