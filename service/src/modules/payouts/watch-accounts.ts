import { limits } from '@florin/contract';
import { tenantOf } from '#kernel/environment.ts';
import { openCases, resolveCaseOf } from '#modules/operator-cases/index.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { bankHolidays } from './fill-and-close.ts';
import {
  endings,
  listOverduePayouts,
  listOwingAccounts,
  listSettledCases,
  listUnplacedStores,
  type OverduePayout,
  type OwingAccount,
  type UnplacedStore,
} from './store/watched-accounts.ts';

const batchSize = 500;

/**
 * What will not put itself right: an account that owes and trades no more, money of a store without an
 * account, and a payout that the bank does not answer. A case ends when its reason does.
 */
export const watchAccounts = async (tools: Uses<'database'>): Promise<number> => {
  const { negativeAccountDays: days, payoutOverdueHours: hours } = limits;
  const { database } = tools;
  const owing = await database.system(listOwingAccounts, { days, limit: batchSize });
  const unplaced = await database.system(listUnplacedStores, { limit: batchSize });
  const overdue = await database.system(listOverduePayouts, { hours, limit: batchSize });
  await openCases(tools, [
    ...owing.map(negativeCase),
    ...unplaced.map(storeCase),
    ...overdue.map(overdueCase),
  ]);
  const settled = await database.system(listSettledCases, {});
  for (const { kind, subject } of settled)
    await resolveCaseOf(tools, kind, subject, {
      actor: 'Florin',
      resolution: endings[kind],
    });
  return 0;
};

const negativeCase = (row: OwingAccount) => ({
  tenant: tenantOf(row),
  kind: 'ACCOUNT_NEGATIVE' as const,
  subject: row.payout_id,
  description:
    'A bank account of the merchant owes more than its payments brought in, and nothing has been ' +
    `paid to it for ${limits.negativeAccountDays} days. Ask the merchant for the money.`,
  evidence: {
    payoutId: row.payout_id,
    sortCode: row.sort_code,
    accountNumber: row.account_number,
    owedPence: Number(-row.amount_pence),
    lastEntryAt: row.updated_at.toISOString(),
  },
});

const storeCase = (row: UnplacedStore) => ({
  tenant: tenantOf(row),
  kind: 'STORE_ACCOUNT_NEEDED' as const,
  subject: row.store_id,
  description: 'Money of this store cannot be paid out: the store has no bank account. Enter one.',
  evidence: { storeId: row.store_id, payablePence: Number(row.payable_pence) },
});

const overdueCase = (row: OverduePayout) => ({
  tenant: tenantOf(row),
  kind: 'PAYOUT_OVERDUE' as const,
  subject: row.payout_id,
  description:
    `A payout is not settled ${limits.payoutOverdueHours} hours after it was handed over, and the ` +
    'bank has not rejected it. Ask the bank what became of it.',
  evidence: {
    payoutId: row.payout_id,
    endToEndId: row.end_to_end_id,
    amountPence: Number(row.amount_pence),
    handedOverAt: row.updated_at.toISOString(),
  },
});

const dayMs = 24 * 60 * 60_000;
const warnedDays = 120;

/** The calendar is data: well before its last year is over somebody has to bring the next one. */
export const watchBankHolidays = async (tools: Uses<'database' | 'clock'>): Promise<number> => {
  const { lastYear, source } = bankHolidays;
  const end = new Date(`${lastYear + 1}-01-01T00:00:00Z`);
  const daysLeft = Math.floor((end.getTime() - tools.clock.now().getTime()) / dayMs);
  metrics.set('florin_bank_holidays_days_left', daysLeft);
  if (daysLeft > warnedDays) return 0;
  await openCases(tools, [
    {
      kind: 'BANK_HOLIDAYS_END',
      subject: String(lastYear),
      description:
        `The calendar of bank holidays ends with ${lastYear}. After that payouts are closed on ` +
        'bank holidays as on working days. Install a version with a newer calendar.',
      evidence: { source, daysLeft },
    },
  ]);
  return 0;
};
