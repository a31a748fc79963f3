import type { Tenant } from '#kernel/environment.ts';
import { nextDue, recomputeDue } from './authorisations/store/due-authorisations.ts';
import { bankFeedJobs } from './jobs.ts';

const maxRounds = 20;

/** What falls due for a merchant's authorisations when its sandbox clock is moved. */
export const feedDue = (tools: Parameters<typeof bankFeedJobs>[0]) => {
  const { database } = tools;
  const jobs = bankFeedJobs(tools);
  const recompute = async (tenant: Tenant): Promise<void> => {
    await database.tenant(tenant.merchantId, recomputeDue, tenant);
  };
  return {
    nextDueAt: async (tenant: Tenant, after: Date): Promise<Date | null> => {
      const [row] = await database.tenant(tenant.merchantId, nextDue, { ...tenant, after });
      return row?.due_at ?? null;
    },
    recompute,
    runDue: async (tenant: Tenant): Promise<void> => {
      await recompute(tenant);
      for (let round = 0; round < maxRounds; round += 1)
        if ((await jobs.endDueAuthorisations()) === 0) break;
    },
  };
};
