import type { Tenant } from '#kernel/environment.ts';
import type { PaymentForecast, SimulatorReference } from '#rails/simulator-rail.ts';

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
  readonly simulatorReferences?: (tenant: Tenant) => Promise<readonly SimulatorReference[]>;
  /** Leaves out, up to an instant, what would hear nothing new of a world that says when it will. */
  readonly passOver?: (
    tenant: Tenant,
    outlook: readonly PaymentForecast[],
    until: Date,
  ) => Promise<void>;
};
