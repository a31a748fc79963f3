import type { ReturnParameters } from './bank-rail.ts';

/** How a simulated payer behaves at the bank; each is a login name of the simulator. */
export type PayerBehaviour = 'approve' | 'insufficient-funds' | 'decline' | 'pending-forever';

/** The port to a payer without a browser: the sandbox driver's hands. */
export type PayerRail = {
  /** Signs in, approves or declines, and answers what the bank sends the browser back with. */
  readonly visitBank: (
    authorisationUrl: string,
    behaviour: PayerBehaviour,
  ) => Promise<ReturnParameters>;
};
