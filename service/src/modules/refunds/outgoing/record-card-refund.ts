import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardRefundOutcome } from '#rails/card-rail.ts';
import { changeRefund } from '../core/change-refund.ts';
import { type Change, moveRefund, noteRefund } from '../core/draft-change.ts';
import { completedPostings, returnedPostings } from '../core/postings.ts';
import type { Refund } from '../core/refund.ts';
import { sealRefundState } from '../core/refund-state.ts';

const firstPauseMs = 2_000;
const longestPauseMs = 60 * 60_000;

type RecordTools = Uses<'database' | 'ids' | 'secrets' | 'wakeDispatcher'>;

/** The first report of an outcome has its effect, an equal one none. */
export const recordCardRefund = (
  tools: RecordTools,
  tenant: Tenant,
  refundId: string,
  outcome: CardRefundOutcome,
): Promise<Refund> =>
  changeRefund(tools, tenant, refundId, (refund, change) => {
    if (refund.step === 'WAITING') return false;
    if (outcome.kind === 'UNKNOWN') return pollAgain(change, {});
    if (outcome.kind === 'PENDING')
      return pollAgain(change, {
        railReference: outcome.reference,
        railStateEncrypted: sealRefundState(tools.secrets, refundId, outcome.state),
      });
    const railStateEncrypted = sealRefundState(tools.secrets, refundId, outcome.state);
    const reported = { railStateEncrypted, railReference: outcome.reference };
    if (outcome.kind === 'COMPLETED') {
      if (refund.status !== 'PENDING') return false;
      moveRefund(tools, change, 'settled', reported);
      change.postings.push(...completedPostings(change.refund, tools.ids.uuid()));
      return true;
    }
    return fail(tools, change, { ...reported, ...reasonOf(outcome) });
  });

type Reported = Parameters<typeof noteRefund>[1];

const fail = (tools: RecordTools, change: Change, reported: Reported): boolean => {
  const { status } = change.before;
  if (status !== 'PENDING' && status !== 'COMPLETED') return false;
  moveRefund(tools, change, status === 'PENDING' ? 'rejected' : 'returned', reported);
  if (status === 'COMPLETED')
    change.postings.push(...returnedPostings(change.refund, tools.ids.uuid()));
  return true;
};

const reasonOf = (outcome: CardRefundOutcome) =>
  outcome.kind === 'FAILED'
    ? { errorCode: outcome.code, errorDescription: outcome.description }
    : { errorCode: 'CANCELLED', errorDescription: 'The card processor cancelled the refund.' };

const pollAgain = (change: Change, reported: Reported): boolean => {
  const { status, pollCount, now } = change.refund;
  if (status !== 'PENDING') return false;
  const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(pollCount, 12), longestPauseMs);
  noteRefund(change, {
    ...reported,
    pollCount: pollCount + 1,
    dueBusinessAt: new Date(now.getTime() + pauseMs),
  });
  return true;
};
