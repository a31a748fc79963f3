import type { Tenant } from '#kernel/environment.ts';
import {
  type ReportReceivers,
  type TransferRails,
  transferJobs,
} from '#modules/transfers/index.ts';
import { type RefundJobTools, refundJobs } from './jobs.ts';
import { nextDue, openCardRefunds, openTransfers, recomputeDue } from './store/tenant-due.ts';

const maxRounds = 20;

/** What falls due for a merchant's refunds when its sandbox clock is moved. */
export const refundsDue = (
  tools: RefundJobTools & {
    readonly transferRails: TransferRails;
    readonly receivers: ReportReceivers;
  },
) => {
  const { database } = tools;
  const refunds = refundJobs(tools);
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
      const [transfers, cards] = await Promise.all([
        database.tenant(tenant.merchantId, openTransfers, tenant),
        database.tenant(tenant.merchantId, openCardRefunds, tenant),
      ]);
      return [
        ...transfers.map((row) => ({ kind: 'TRANSFER' as const, id: row.end_to_end_id })),
        ...cards.map((row) => ({ kind: 'CARD_PAYMENT' as const, id: row.rail_reference })),
      ];
    },
    runDue: async (tenant: Tenant) => {
      await recompute(tenant);
      for (let round = 0; round < maxRounds; round += 1) {
        const done = [
          await refunds.handOverRefunds(),
          await transfers.submitBatches(),
          await refunds.pollRefunds(),
        ];
        if (done.every((count) => count === 0)) break;
      }
      await transfers.readBankMessages(tenant.environment);
    },
  };
};
