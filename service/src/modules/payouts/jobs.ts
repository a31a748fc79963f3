import { type Tenant, tenantOf } from '#kernel/environment.ts';
import {
  type ReportReceivers,
  type TransferRails,
  transferJobs,
} from '#modules/transfers/index.ts';
import type { Job } from '#platform/jobs.ts';
import { runEach, runInTurn } from '#platform/run-each.ts';
import { type CloseTools, closePayout, fillPayouts } from './fill-and-close.ts';
import { type DueTenant, findTenantsWithLines } from './store/attach-lines.ts';
import {
  type DuePayout,
  findDueTenants,
  listDuePayouts,
  listOpenTransfers,
  nextDue,
  recomputeDue,
} from './store/payouts.ts';
import { watchAccounts, watchBankHolidays } from './watch-accounts.ts';

const batchSize = 50;

/** Each job does what is due and answers the count; safe to run anywhere, any number of times. */
export const payoutJobs = (tools: CloseTools) => ({
  fillPayouts: async (): Promise<number> => {
    let filled = 0;
    const tenants = await listTenants(tools, findTenantsWithLines);
    const merchantOf = (row: DueTenant): string => row.merchant_id;
    await runEach(tools, 'FILL_PAYOUT', tenants, merchantOf, async (row) => {
      filled += await fillPayouts(tools, tenantOf(row));
    });
    return filled;
  },
  watchBankHolidays: () => watchBankHolidays(tools),
  watchAccounts: () => watchAccounts(tools),
  closePayouts: async (): Promise<number> => {
    const tenants = await listTenants(tools, findDueTenants);
    const closed = await Promise.all(tenants.map((row) => closeDue(tools, tenantOf(row))));
    return closed.reduce((sum, count) => sum + count, 0);
  },
});

const fillEveryMs = 2_000;
const watchHolidaysEveryMs = 60 * 60 * 1000;
const watchAccountsEveryMs = 10 * 60 * 1000;

/** What a worker runs. */
export const jobsOfPayouts = (tools: CloseTools): readonly Job[] => {
  const jobs = payoutJobs(tools);
  return [
    { name: 'fillPayouts', everyMs: fillEveryMs, run: jobs.fillPayouts },
    { name: 'closePayouts', run: jobs.closePayouts },
    { name: 'watchBankHolidays', everyMs: watchHolidaysEveryMs, run: jobs.watchBankHolidays },
    { name: 'watchAccounts', everyMs: watchAccountsEveryMs, run: jobs.watchAccounts },
  ];
};

const listTenants = ({ database, ids }: CloseTools, list: typeof findDueTenants) =>
  database.system(list, { from: ids.uuid(), limit: batchSize });

/** One after the other: each takes the merchant's turn. */
const closeDue = async (tools: CloseTools, tenant: Tenant): Promise<number> => {
  const due = await tools.database.tenant(tenant.merchantId, listDuePayouts, tenant);
  let closed = 0;
  const idOf = (row: DuePayout): string => row.payout_id;
  await runInTurn(tools, 'CLOSE_PAYOUT', due, idOf, async (row) => {
    closed += await closePayout(tools, tenant, row.payout_id);
  });
  return closed;
};

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
      const rows = await database.tenant(tenant.merchantId, listOpenTransfers, tenant);
      return [
        { kind: 'ORDERING_PARTY' as const, id: tenant.merchantId },
        ...rows.map((row) => ({ kind: 'TRANSFER' as const, id: row.end_to_end_id })),
      ];
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
