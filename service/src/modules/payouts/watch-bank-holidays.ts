import { openCases } from '#modules/operator-cases/index.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import { bankHolidays } from './bank-holidays.ts';

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
