import { type Tenant, tenantOf } from '#kernel/environment.ts';
import { casesValue } from '#modules/operator-cases/index.ts';
import {
  type ReportReceivers,
  type TransferRails,
  transferJobs,
} from '#modules/transfers/index.ts';
import type { Job } from '#platform/jobs.ts';
import { runEach } from '#platform/run-each.ts';
import { pollCardRefund } from './outgoing/card-refunds.ts';
import { type HandOverTools, handOver } from './outgoing/hand-over.ts';
import {
  claimHandedOver,
  type DueTenant,
  findDueTenants,
  type HandedOverRow,
  listOpenCardRefunds,
  listOpenTransfers,
  markAlerted,
  nextDue,
  recomputeDue,
} from './outgoing/store.ts';

const batchSize = 50;
const leaseMs = 45_000;

/** Each job does what is due and answers the count; safe to run anywhere, any number of times. */
export const refundJobs = (tools: HandOverTools) => ({
  handOverRefunds: async (): Promise<number> => {
    const tenants = await tools.database.system(findDueTenants, {
      from: tools.ids.uuid(),
      limit: batchSize,
    });
    let done = 0;
    const merchantOf = (row: DueTenant): string => row.merchant_id;
    await runEach(tools, 'HAND_OVER', tenants, merchantOf, async (row) => {
      done += await handOver(tools, tenantOf(row));
    });
    return done;
  },
  pollRefunds: async (): Promise<number> => {
    const due = await tools.database.system(claimHandedOver, { limit: batchSize, leaseMs });
    const idOf = (row: HandedOverRow): string => row.refund_id;
    return runEach(tools, 'POLL_REFUND', due, idOf, (row) => pollRefund(tools, row));
  },
});

/** What a worker runs. */
export const jobsOfRefunds = (tools: HandOverTools): readonly Job[] => {
  const { handOverRefunds, pollRefunds } = refundJobs(tools);
  return [
    { name: 'handOverRefunds', run: handOverRefunds },
    { name: 'pollRefunds', run: pollRefunds },
  ];
};

const pollRefund = async (tools: HandOverTools, row: HandedOverRow): Promise<void> => {
  const tenant = tenantOf(row);
  const { refund_id: refundId } = row;
  if (row.method === 'CARD') {
    const outcome = await pollCardRefund(tools, tenant, refundId);
    if (outcome?.kind === 'UNKNOWN') throw new Error(outcome.description);
    return;
  }
  const cases = casesValue([{ resourceId: refundId, opened: overdueCase(refundId) }]);
  const values = { ...tenant, refundId, cases };
  await tools.database.tenant(tenant.merchantId, markAlerted, values);
};

const overdueCase = (refundId: string) => ({
  kind: 'REFUND_OVERDUE' as const,
  subject: refundId,
  description: 'A refund is not done 30 minutes after it was handed over to the bank.',
  evidence: { refundId },
});

const maxRounds = 20;

/** What falls due for a merchant's refunds when its sandbox clock is moved. */
export const refundsDue = (
  tools: HandOverTools & {
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
        database.tenant(tenant.merchantId, listOpenTransfers, tenant),
        database.tenant(tenant.merchantId, listOpenCardRefunds, tenant),
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
