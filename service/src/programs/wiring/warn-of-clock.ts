import { sql } from '#platform/database/sql.ts';
import { statement } from '#platform/database/statement.ts';
import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';

const readClock = statement<object, { readonly now_ms: number }>(
  'database_clock',
  sql()`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`,
);

// Banks take signatures of the last seconds; a question to the database takes some of these itself.
const toleratedMs = 2_000;

/** How far this machine's clock is ahead of the database's, and how far that may be from the truth. */
export const compareClocks = async ({ database, clock }: Uses<'database' | 'clock'>) => {
  const askedAtMs = clock.now().getTime();
  const [found] = await database.system(readClock, {});
  const answeredAtMs = clock.now().getTime();
  const databaseMs = found?.now_ms ?? answeredAtMs;
  const aheadMs = (askedAtMs + answeredAtMs) / 2 - databaseMs;
  const tookMs = answeredAtMs - askedAtMs;
  // A slow answer would pass for a wrong clock.
  metrics.set('florin_clock_off_seconds', Math.max(0, Math.abs(aheadMs) - tookMs) / 1000);
  return { aheadMs, tookMs };
};

/** A wrong clock shows elsewhere as a refused signature or a code that has expired: it is named here. */
export const warnOfClock = async (tools: Uses<'database' | 'clock' | 'log'>): Promise<void> => {
  const { aheadMs, tookMs } = await compareClocks(tools);
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const direction = aheadMs > 0 ? 'ahead of' : 'behind';
  if (Math.abs(aheadMs) > toleratedMs + tookMs)
    tools.log.error(
      { seconds: Math.round(aheadMs / 1000) },
      `the clock of this machine is ${seconds} s ${direction} that of the database: synchronise both (NTP)`,
    );
};
