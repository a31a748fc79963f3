import type { Tenant } from '#kernel/environment.ts';
import type { PaymentForecast, SimulatorReference } from '#rails/simulator-rail.ts';

/** Something with due times of a tenant: expiry, polls, deliveries, captures, payouts. */
export type DueSource = {
  /** The earliest open due time after this instant, in the tenant's time. */
  readonly nextDueAt: (tenant: Tenant, after: Date) => Promise<Date | null>;
  /** Derives the real due times again, after the clock has moved. */
  readonly recompute: (tenant: Tenant) => Promise<void>;
  /** Does what is due now, before the clock moves on. */
  readonly runDue: (tenant: Tenant) => Promise<void>;
  /**
   * What the simulator holds for the tenant and is not final: it ages with the tenant. A source
   * names what its rails left there (consents of banks, payments and sessions of cards, transfers).
   */
  readonly simulatorReferences?: (tenant: Tenant) => Promise<readonly SimulatorReference[]>;
  /** Skips, up to an instant, the polls that learn nothing by the forecast of the simulator. */
  readonly skipPolls?: (
    tenant: Tenant,
    forecast: readonly PaymentForecast[],
    until: Date,
  ) => Promise<void>;
};
