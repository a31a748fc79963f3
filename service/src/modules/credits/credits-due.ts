import type { Tenant } from '#kernel/environment.ts';
import { type CreditTools, matchCredits } from './match-credits.ts';
import { reverseCredits } from './reverse-credits.ts';
import { nextHeldUntil, wakeHeld } from './store/held-payments.ts';

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
