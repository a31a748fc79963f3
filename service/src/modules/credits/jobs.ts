import type { Tenant } from '#kernel/environment.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { type CreditTools, matchCredits } from './credits.ts';
import { reverseCredits } from './reverse-credits.ts';
import { countUnmatched } from './store/credits.ts';
import { nextHeldUntil, wakeHeld } from './store/held-payments.ts';

const countEveryMs = 15_000;

export const creditJobs = (tools: CreditTools) => [
  { name: 'matchCredits', run: () => matchCredits(tools) },
  { name: 'reverseCredits', run: () => reverseCredits(tools) },
  { name: 'countCredits', everyMs: countEveryMs, run: () => countCredits(tools) },
];

const countCredits = async ({ database }: Uses<'database'>): Promise<number> => {
  const [row] = await database.system(countUnmatched, {});
  metrics.set('florin_credits_unmatched', row?.unmatched ?? 0);
  return 0;
};

const maxRounds = 20;

/**
 * When a sandbox clock is moved, what the account has shown has its effect at that step: a payment
 * whose money was taken back is reversed before a payout closes.
 */
export const creditsDue = (tools: CreditTools) => {
  const { database } = tools;
  const recompute = async (tenant: Tenant): Promise<void> => {
    await database.system(wakeHeld, tenant);
  };
  return {
    nextDueAt: async (tenant: Tenant, after: Date): Promise<Date | null> => {
      const [row] = await database.tenant(tenant.merchantId, nextHeldUntil, { ...tenant, after });
      return row?.due_at ?? null;
    },
    recompute,
    runDue: async (tenant: Tenant): Promise<void> => {
      await recompute(tenant);
      for (let round = 0; round < maxRounds; round += 1) {
        const done = [await matchCredits(tools), await reverseCredits(tools)];
        if (done.every((count) => count === 0)) return;
      }
    },
  };
};
