import type { Tenant } from '#kernel/environment.ts';
import {
  type ReportReceivers,
  type TransferRails,
  transferJobs,
} from '#modules/transfers/index.ts';
import type { CloseTools } from './close-payout.ts';
import { payoutJobs } from './jobs.ts';
import { nextDue, openTransfers, recomputeDue } from './store/payouts.ts';

const maxRounds = 20;

/** What falls due for a merchant's payouts when its sandbox clock is moved. */
export const payoutsDue = (
  tools: CloseTools & {
    readonly transferRails: TransferRails;
    readonly receivers: ReportReceivers;
  },
) => {
  const { database } = tools;
  const payouts = payoutJobs(tools);
  const transfers = transferJobs(tools);
  const recompute = async (tenant: Tenant): Promise<void> => {
    await database.tenant(tenant.merchantId, recomputeDue, tenant);
  };
  return {
    nextDueAt: async (tenant: Tenant, after: Date): Promise<Date | null> => {
      const [row] = await database.tenant(tenant.merchantId, nextDue, { ...tenant, after });
      return row?.due_at ?? null;
    },
    recompute,
    simulatorReferences: async (tenant: Tenant) => {
      const rows = await database.tenant(tenant.merchantId, openTransfers, tenant);
      return rows.map((row) => ({ kind: 'TRANSFER' as const, id: row.end_to_end_id }));
    },
    runDue: async (tenant: Tenant) => {
      await recompute(tenant);
      for (let round = 0; round < maxRounds; round += 1) {
        const done = [
          await payouts.fillPayouts(),
          await payouts.closePayouts(),
          await transfers.submitBatches(),
        ];
        if (done.every((count) => count === 0)) break;
      }
      await transfers.readBankMessages(tenant.environment);
    },
  };
};
