import type {
  ReportEffect,
  ReportReceiver,
  TransferOutcome,
  TransferReport,
} from '#modules/transfers/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { Payout } from './payout.ts';
import { type PayoutTrigger, payoutLifecycle } from './payout-lifecycle.ts';
import { payoutPostings } from './payout-postings.ts';
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
  const trigger = triggerOf(payout, report);
  const toStatus = trigger && payoutLifecycle.next(payout.status, trigger);
  if (!trigger || !toStatus) return effectOf(payout, report);
  const isWon = await commitPayout(database, {
    payout,
    toStatus,
    trigger,
    endToEndId: payout.endToEndId,
    error: trigger === 'settled' ? null : errorOf(report),
    turnVersion: null,
    postings: payoutPostings(payout, trigger, ids.uuid()),
    batches: [],
    ended: [
      { resourceId: payoutId, endToEndId: report.endToEndId, outcome: outcomeOf(payout, report) },
    ],
  });
  return isWon ? 'EXPECTED' : null;
};

const triggerOf = (payout: Payout, { stage, endToEndId }: TransferReport): PayoutTrigger | null => {
  if (payout.endToEndId !== endToEndId || stage === 'IN_PROGRESS') return null;
  if (stage === 'SETTLED') return 'settled';
  return payout.status === 'SETTLED' ? 'returned' : 'rejected';
};

/** A return before the settlement was reported has left, too. */
const outcomeOf = (payout: Payout, { stage }: TransferReport): TransferOutcome => {
  if (stage === 'SETTLED') return 'SETTLED';
  return payout.status === 'SETTLED' || stage === 'RETURNED' ? 'RETURNED' : 'REJECTED';
};

const errorOf = ({ reason }: TransferReport) => ({
  code: reason?.code ?? 'RETURNED',
  description: reason?.description ?? 'The bank returned the money.',
});

const effectOf = ({ status }: Payout, { stage }: TransferReport): ReportEffect => {
  if (status === 'PROCESSING') return 'EXPECTED';
  if (status === 'SETTLED') return stage === 'SETTLED' ? 'EXPECTED' : 'LATE';
  return stage === 'REJECTED' || stage === 'RETURNED' ? 'EXPECTED' : 'LATE';
};
