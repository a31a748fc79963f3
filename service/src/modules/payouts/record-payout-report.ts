import type { ReportEffect, ReportReceiver, TransferReport } from '#modules/transfers/index.ts';
import type { Uses } from '#platform/tools.ts';
import { payoutLifecycle } from './payout-lifecycle.ts';
import { payoutPostings } from './payout-postings.ts';
import { reportChange } from './report-change.ts';
import { commitPayout } from './store/commit-payout.ts';
import { payoutOf, readPayout } from './store/payouts.ts';

const maxTries = 50;

/**
 * The bank's reports about the transfers of payouts: the first report has its effect, a repeated one
 * none. A merchant has few payouts a day, so each is a statement of its own.
 */
export const recordPayoutReport =
  (tools: RecordTools): ReportReceiver =>
  async (_tenant, reports) => {
    const effects: ReportEffect[] = [];
    for (const report of reports) effects.push(await record(tools, report));
    return effects;
  };

type RecordTools = Uses<'database' | 'ids'>;

const record = async (tools: RecordTools, report: TransferReport): Promise<ReportEffect> => {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    const effect = await tryToRecord(tools, report);
    if (effect) return effect;
  }
  throw new Error('a payout keeps changing');
};

/** Null when the payout was changed concurrently. */
const tryToRecord = async (
  { database, ids }: RecordTools,
  report: TransferReport,
): Promise<ReportEffect | null> => {
  const { tenant, subjectId: payoutId } = report;
  const [row] = await database.tenant(tenant.merchantId, readPayout, { ...tenant, payoutId });
  if (!row) return 'LATE';
  const payout = payoutOf(row);
  const change = reportChange(payout, report);
  if (typeof change === 'string') return change;
  const { trigger, outcome, bookings, releasesLines, opened } = change;
  const toStatus = payoutLifecycle.next(payout.status, trigger);
  if (!toStatus) return 'LATE';
  const isWon = await commitPayout(database, {
    ...{ payout, toStatus, trigger, releasesLines, opened },
    endToEndId: payout.endToEndId,
    error: outcome === 'SETTLED' ? null : errorOf(report),
    turnVersion: null,
    postings: payoutPostings(payout, bookings, ids),
    batches: [],
    ended: [{ resourceId: payoutId, endToEndId: report.endToEndId, outcome }],
  });
  return isWon ? 'EXPECTED' : null;
};

const errorOf = ({ reason }: TransferReport) => ({
  code: reason?.code ?? 'RETURNED',
  description: reason?.description ?? 'The bank returned the money.',
});
