import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { ReportEffect, ReportReceiver, TransferReport } from '#modules/transfers/index.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type Change,
  changesTooOften,
  completedPostings,
  draftChange,
  endTransfer,
  moveRefund,
  noteRefund,
  rejectedPostings,
  returnedPostings,
} from '../core/change-refunds.ts';
import type { Refund } from '../core/refund.ts';
import { commitRefunds } from '../core/store/commit-refunds.ts';
import { readRefunds } from '../core/store/read-refunds.ts';

type RecordTools = Uses<'database' | 'ids' | 'wakeDispatcher'>;

/**
 * The bank's reports about the transfers of refunds, in one statement: the first report has its effect,
 * a repeated one none.
 */
export const recordTransferReport =
  (tools: RecordTools): ReportReceiver =>
  async (tenant, reports) => {
    const reportOf = new Map(reports.map((report) => [report.subjectId, report]));
    const effects = new Map<string, ReportEffect>();
    await changeRefunds(tools, tenant, [...reportOf.keys()], (refund, change) => {
      const report = reportOf.get(refund.refundId);
      if (!report) return false;
      const isOther = refund.endToEndId !== report.endToEndId;
      const isChanged = !isOther && apply(tools, change, report);
      const effect = isOther ? 'LATE' : effectOf(refund, report);
      effects.set(refund.refundId, isChanged ? 'EXPECTED' : effect);
      return isChanged;
    });
    return reports.map(({ subjectId }) => effects.get(subjectId) ?? 'LATE');
  };

const maxTries = 50;

/**
 * One read, a decision for each refund, one guarded statement for all. Those that lost a race are
 * decided again on their new state. `decide` says whether there is anything to write.
 */
const changeRefunds = async (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  refundIds: readonly string[],
  decide: (refund: Refund, change: Change) => boolean,
): Promise<void> => {
  let left = refundIds;
  for (let round = 0; round < maxTries && left.length > 0; round += 1) {
    const refunds = await readRefunds(tools.database, tenant, left);
    if (refunds.length < left.length) throw new Failure(failures.notFound);
    const changes = refunds.map(draftChange).filter((change) => decide(change.refund, change));
    if (changes.length === 0) return;
    const won = await commitRefunds(tools.database, tenant, changes);
    tools.wakeDispatcher(won.endpoints);
    left = changes
      .map(({ refund }) => refund.refundId)
      .filter((refundId) => !won.refundIds.includes(refundId));
  }
  if (left.length > 0) throw changesTooOften();
};

const apply = (tools: RecordTools, change: Change, report: TransferReport): boolean => {
  const { status, step } = change.before;
  const isOnItsWay = status === 'PENDING' && step === 'HANDED_OVER';
  if (report.stage === 'SETTLED' && isOnItsWay) return settle(tools, change);
  if (report.stage === 'NOT_SENT' && isOnItsWay) return requeue(tools, change);
  if (report.stage !== 'REJECTED' && report.stage !== 'RETURNED') return false;
  if (isOnItsWay) return reject(tools, change, report);
  return status === 'COMPLETED' && returnRefund(tools, change, report);
};

const settle = (tools: RecordTools, change: Change): boolean => {
  moveRefund(tools, change, 'settled');
  endTransfer(change, 'SETTLED');
  change.postings.push(...completedPostings(change.refund, tools.ids.uuid()));
  return true;
};

/** The bank never saw it: it waits for the next batch, under a new end-to-end id. */
const requeue = (tools: RecordTools, change: Change): boolean => {
  const { now } = change.refund;
  endTransfer(change, 'REJECTED');
  change.postings.push(...rejectedPostings(change.refund, tools.ids.uuid()));
  noteRefund(change, {
    step: 'WAITING',
    endToEndId: null,
    handedOverAt: null,
    dueBusinessAt: now,
  });
  return true;
};

/**
 * A return before the settlement was reported: it left and came back, so the books show neither.
 */
const reject = (tools: RecordTools, change: Change, report: TransferReport): boolean => {
  moveRefund(tools, change, 'rejected', reasonOf(report));
  endTransfer(change, report.stage === 'RETURNED' ? 'RETURNED' : 'REJECTED');
  change.postings.push(...rejectedPostings(change.refund, tools.ids.uuid()));
  return true;
};

const returnRefund = (tools: RecordTools, change: Change, report: TransferReport): boolean => {
  moveRefund(tools, change, 'returned', reasonOf(report));
  endTransfer(change, 'RETURNED');
  change.postings.push(...returnedPostings(change.refund, tools.ids.uuid()));
  return true;
};

const reasonOf = ({ reason }: TransferReport) => ({
  errorCode: reason?.code ?? 'RETURNED',
  errorDescription: reason?.description ?? 'The bank returned the money.',
});

/** A repeated final report is expected; any earlier one is late. */
const effectOf = ({ status }: Refund, { stage }: TransferReport): ReportEffect => {
  if (status === 'PENDING') return 'EXPECTED';
  if (status === 'COMPLETED') return stage === 'SETTLED' ? 'EXPECTED' : 'LATE';
  return stage === 'REJECTED' || stage === 'RETURNED' ? 'EXPECTED' : 'LATE';
};
