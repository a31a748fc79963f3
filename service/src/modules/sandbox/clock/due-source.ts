import type { Tenant } from '#kernel/environment.ts';
import type { WorldOutlook, WorldReference } from '#rails/world-rail.ts';

/** Something with due times of a tenant's own: expiry, polls, deliveries, captures, payouts. */
export type DueSource = {
  /** The earliest open due time after this instant, in the tenant's time. */
  readonly nextDueAt: (tenant: Tenant, after: Date) => Promise<Date | null>;
  /** Derives the real due times anew, after the clock has moved. */
  readonly recompute: (tenant: Tenant) => Promise<void>;
  /** Does what is due now, before the clock goes on. */
  readonly runDue: (tenant: Tenant) => Promise<void>;
  /**
   * What the simulated world keeps for the tenant and is not over: it ages with the tenant. A source
   * names whatever its rails left there (consents of banks, payments and sessions of cards, transfers).
   */
  readonly worldReferences?: (tenant: Tenant) => Promise<readonly WorldReference[]>;
  /** Leaves out, up to an instant, what would hear nothing new of a world that says when it will. */
  readonly passOver?: (
    tenant: Tenant,
    outlook: readonly WorldOutlook[],
    until: Date,
  ) => Promise<void>;
};
