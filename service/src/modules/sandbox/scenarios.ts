import type { SandboxScenario } from '@florin/contract';

/** Names to sign in with at a simulated bank; its login page lists all of them. */
export const scenarios: readonly SandboxScenario[] = [
  { input: 'approve', outcome: 'The payment succeeds.' },
  { input: 'decline', outcome: 'The customer declines at the bank.' },
  { input: 'insufficient-funds', outcome: 'The bank rejects the payment.' },
  { input: 'slow', outcome: 'The bank takes its time.' },
  { input: 'stuck', outcome: 'Pending for long, then rejected.' },
  { input: 'rejected-late', outcome: 'Accepted, then taken back.' },
];
