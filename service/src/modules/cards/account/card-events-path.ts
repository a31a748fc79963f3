import type { Tenant } from '#kernel/environment.ts';

export { sharedCardEventsPath } from '#rails/card-rail.ts';

/** Where the processor of a merchant's own account sends its events. */
export const ownCardEventsPath = ({ merchantId, environment }: Tenant): string =>
  `/api/rails/card-events/${merchantId}/${environment.toLowerCase()}`;
