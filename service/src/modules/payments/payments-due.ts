import type { Tenant } from '#kernel/environment.ts';
import type { FindAccount } from '#modules/cards/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { PaymentForecast } from '#rails/simulator-rail.ts';
import { skipPolls } from './bank/skip-polls.ts';
import type { BankRails } from './core/bank-rails.ts';
import { simulatorReferences } from './core/store/simulator-references.ts';
import { tenantDue } from './core/store/tenant-due.ts';
import { paymentJobs } from './jobs.ts';

const maxRounds = 50;

/** What falls due for a merchant's payments when its sandbox clock is moved. */
export const paymentsDue = (
  tools: Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
    readonly bankRails: BankRails;
    readonly cardRails: FindAccount;
  },
) => {
  const due = tenantDue(tools.database);
  const jobs = paymentJobs(tools, { ignoresLeases: true });
  return {
    nextDueAt: (tenant: Tenant, after: Date) => due.next(tenant, after),
    recompute: (tenant: Tenant) => due.recompute(tenant),
    skipPolls: (tenant: Tenant, forecast: readonly PaymentForecast[], until: Date) =>
      skipPolls(tools.database, tenant, forecast, until),
    simulatorReferences: (tenant: Tenant) => simulatorReferences(tools.database, tenant),
    runDue: async (tenant: Tenant) => {
      // Once more: a statement that began before the clock moved may have ended after the first time.
      await due.recompute(tenant);
      for (let round = 0; round < maxRounds; round += 1) {
        const done = await Promise.all([
          jobs.expirePaymentRequests(),
          jobs.closeAbandonedAttempts(),
          jobs.pollBanks(),
          jobs.pollCardProcessors(),
          jobs.captureBeforeExpiry(),
        ]);
        if (done.every((count) => count === 0)) return;
      }
    },
  };
};
