import type { Tenant } from '#kernel/environment.ts';

/** Where the simulated processor, whose account all sandbox merchants share, tells what happened. */
export const sharedCardEventsPath = '/api/rails/card-events/sandbox';

/** Where the processor of a merchant's own account does. */
export const ownCardEventsPath = ({ merchantId, environment }: Tenant): string =>
  `/api/rails/card-events/${merchantId}/${environment.toLowerCase()}`;
