import type { Tenant } from '#kernel/environment.ts';
import { casesValue } from '#modules/operator-cases/index.ts';
import { type HandOverTools, handOver } from './outgoing/hand-over.ts';
import { pollCardRefund } from './outgoing/poll-card-refund.ts';
import {
  claimHandedOver,
  type DueTenant,
  findDueTenants,
  type HandedOverRow,
  markAlerted,
} from './outgoing/store/outgoing.ts';

const batchSize = 50;
const leaseMs = 45_000;

export type RefundJobTools = HandOverTools;

/** Each job does what is due and answers the count; safe to run anywhere, any number of times. */
export const refundJobs = (tools: RefundJobTools) => ({
  handOverRefunds: async (): Promise<number> => {
    const tenants = await tools.database.system(findDueTenants, {
      from: tools.ids.uuid(),
      limit: batchSize,
    });
    const done = await Promise.all(
      tenants.map((row) => trying(tools, row, () => handOver(tools, tenantOf(row)))),
    );
    return done.reduce((sum, count) => sum + count, 0);
  },
  pollRefunds: async (): Promise<number> => {
    const due = await tools.database.system(claimHandedOver, { limit: batchSize, leaseMs });
    const done = await Promise.all(
      due.map((row) => trying(tools, row, () => pollRefund(tools, row))),
    );
    return done.reduce((sum, count) => sum + count, 0);
  },
});

const pollRefund = async (tools: RefundJobTools, row: HandedOverRow): Promise<number> => {
  const tenant = tenantOf(row);
  if (row.method === 'CARD') await pollCardRefund(tools, tenant, row.refund_id);
  else {
    const refundId = row.refund_id;
    const cases = casesValue([{ resourceId: refundId, opened: overdueCase(refundId) }]);
    const values = { ...tenant, refundId, cases };
    await tools.database.tenant(tenant.merchantId, markAlerted, values);
  }
  return 1;
};

const overdueCase = (refundId: string) => ({
  kind: 'REFUND_OVERDUE' as const,
  subject: refundId,
  description: 'A refund is not done 30 minutes after it was handed over to the bank.',
  evidence: { refundId },
});

const trying = async (
  { log }: RefundJobTools,
  row: DueTenant,
  run: () => Promise<number>,
): Promise<number> => {
  try {
    return await run();
  } catch (error) {
    log.warn({ ...tenantOf(row), error: (error as Error).message }, 'a refund job will try again');
    return 0;
  }
};

const tenantOf = ({ merchant_id, environment }: DueTenant): Tenant => ({
  merchantId: merchant_id,
  environment,
});
