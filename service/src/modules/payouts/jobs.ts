import type { Tenant } from '#kernel/environment.ts';
import { type CloseTools, closePayout, fillPayouts } from './close-payout.ts';
import { type DueTenant, findTenantsWithLines } from './store/attach-lines.ts';
import { findDuePayouts } from './store/payouts.ts';
import { watchBankHolidays } from './watch-bank-holidays.ts';

const batchSize = 50;

/** Each job does what is due and answers the count; safe to run anywhere, any number of times. */
export const payoutJobs = (tools: CloseTools) => ({
  fillPayouts: async (): Promise<number> => {
    const tenants = await tools.database.system(findTenantsWithLines, { limit: batchSize });
    const done = await Promise.all(
      tenants.map((row) => trying(tools, row, () => fillPayouts(tools, tenantOf(row)))),
    );
    return done.reduce((sum, count) => sum + count, 0);
  },
  watchBankHolidays: () => watchBankHolidays(tools),
  closePayouts: async (): Promise<number> => {
    const due = await tools.database.system(findDuePayouts, { limit: batchSize });
    // Those of a merchant one after the other: each takes its turn.
    const keyOf = (row: DueTenant) => `${row.merchant_id} ${row.environment}`;
    const done = await Promise.all(
      [...new Set(due.map(keyOf))].map(async (key) => {
        let closed = 0;
        for (const row of due.filter((each) => keyOf(each) === key))
          closed += await trying(tools, row, () =>
            closePayout(tools, tenantOf(row), row.payout_id),
          );
        return closed;
      }),
    );
    return done.reduce((sum, count) => sum + count, 0);
  },
});

const trying = async (
  { log }: CloseTools,
  row: DueTenant,
  run: () => Promise<number>,
): Promise<number> => {
  try {
    return await run();
  } catch (error) {
    log.warn({ ...tenantOf(row), error: (error as Error).message }, 'a payout job will try again');
    return 0;
  }
};

const tenantOf = ({ merchant_id, environment }: DueTenant): Tenant => ({
  merchantId: merchant_id,
  environment,
});
