import type { Tenant } from '#kernel/environment.ts';
import { type CloseTools, closePayout, fillPayouts } from './close-payout.ts';
import { type DueTenant, findTenantsWithLines } from './store/attach-lines.ts';
import { findDueTenants, listDuePayouts } from './store/payouts.ts';
import { watchAccounts } from './watch-accounts.ts';
import { watchBankHolidays } from './watch-bank-holidays.ts';

const batchSize = 50;

/** Each job does what is due and answers the count; safe to run anywhere, any number of times. */
export const payoutJobs = (tools: CloseTools) => ({
  fillPayouts: () =>
    forEachTenant(tools, findTenantsWithLines, (tenant) =>
      trying(tools, tenant, () => fillPayouts(tools, tenant)),
    ),
  watchBankHolidays: () => watchBankHolidays(tools),
  watchAccounts: () => watchAccounts(tools),
  closePayouts: () => forEachTenant(tools, findDueTenants, (tenant) => closeDue(tools, tenant)),
});

const forEachTenant = async (
  { database, ids }: CloseTools,
  list: typeof findDueTenants,
  run: (tenant: Tenant) => Promise<number>,
): Promise<number> => {
  const tenants = await database.system(list, { from: ids.uuid(), limit: batchSize });
  const done = await Promise.all(tenants.map((row) => run(tenantOf(row))));
  return done.reduce((sum, count) => sum + count, 0);
};

/** One after the other: each takes the merchant's turn. */
const closeDue = async (tools: CloseTools, tenant: Tenant): Promise<number> => {
  const due = await tools.database.tenant(tenant.merchantId, listDuePayouts, tenant);
  let closed = 0;
  for (const { payout_id: payoutId } of due)
    closed += await trying(tools, tenant, () => closePayout(tools, tenant, payoutId));
  return closed;
};

const trying = async (
  { log }: CloseTools,
  tenant: Tenant,
  run: () => Promise<number>,
): Promise<number> => {
  try {
    return await run();
  } catch (error) {
    log.warn({ ...tenant, error: (error as Error).message }, 'a payout job will try again');
    return 0;
  }
};

const tenantOf = ({ merchant_id, environment }: DueTenant): Tenant => ({
  merchantId: merchant_id,
  environment,
});
