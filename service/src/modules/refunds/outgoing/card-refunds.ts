import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { missingKeys } from '#modules/cards/index.ts';
import { openCases } from '#modules/operator-cases/index.ts';
import { findAttempt, loadPayment } from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardRail, CardRefundOutcome } from '#rails/card-rail.ts';
import {
  type Change,
  changeRefund,
  completedPostings,
  moveRefund,
  noteRefund,
  returnedPostings,
} from '../core/change-refunds.ts';
import { decryptRefundState, encryptRefundState, type Refund } from '../core/refund.ts';
import { readRefund } from '../core/store/read-refunds.ts';
import type { HandOverTools } from './hand-over.ts';

const firstPauseMs = 2_000;
const longestPauseMs = 60 * 60_000;

type RecordTools = Uses<'database' | 'ids' | 'secrets' | 'wakeDispatcher'>;

/** The first report of an outcome has its effect, an equal one none. */
const recordCardRefund = (
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
        railStateEncrypted: encryptRefundState(tools.secrets, refundId, outcome.state),
      });
    const railStateEncrypted = encryptRefundState(tools.secrets, refundId, outcome.state);
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

export type CardRefundToSend = {
  readonly rail: CardRail;
  readonly refundId: string;
  readonly state: string;
};

/** After its state is committed. A lost call is polled by the resolver. */
export const sendCardRefund = async (
  tools: Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'>,
  tenant: Tenant,
  { rail, refundId, state }: CardRefundToSend,
): Promise<void> => {
  try {
    await recordCardRefund(tools, tenant, refundId, await rail.refund(state));
  } catch (error) {
    tools.log.warn(
      { ...tenant, refundId, error: (error as Error).message },
      'the outcome of a card refund is selected for later',
    );
  }
};

type PollTools = Omit<HandOverTools, 'transferRails' | 'log'>;

const unknown = {
  kind: 'UNKNOWN',
  description: 'The keys of the account at the card processor are missing.',
} as const;

/**
 * Polls the processor for the outcome of a refund, also of one whose sending was lost, at the account
 * that was paid (CARD-20).
 */
export const pollCardRefund = async (
  tools: PollTools,
  tenant: Tenant,
  refundId: string,
): Promise<CardRefundOutcome | null> => {
  const refund = await readRefund(tools.database, tenant, refundId);
  return refund && poll(tools, refund);
};

const poll = async (tools: PollTools, refund: Refund): Promise<CardRefundOutcome | null> => {
  const { tenant, refundId, paymentRequestId, attemptId } = refund;
  const state = decryptRefundState(tools.secrets, refund);
  if (!state) return null;
  const payment = await loadPayment(tools.database, tenant, paymentRequestId);
  const accountKey = findAttempt(payment, attemptId)?.card?.accountKey ?? '';
  const rail = await tools.cardRails.findAccount(tenant, accountKey);
  if (!rail) await openCases(tools, [missingKeys(tenant, accountKey, { refundId, attemptId })]);
  const outcome = rail ? await rail.readRefund(state) : unknown;
  await recordCardRefund(tools, tenant, refundId, outcome);
  return outcome;
};

/**
 * After an event of the processor, which sends it again when this fails. False: the attempt has no such
 * refund of ours.
 */
export const followCardRefund = async (
  tools: PollTools,
  tenant: Tenant,
  { refundId, attemptId }: { readonly refundId: string; readonly attemptId: string },
): Promise<boolean> => {
  const refund = isUuid(refundId) ? await readRefund(tools.database, tenant, refundId) : null;
  if (refund?.attemptId !== attemptId) return false;
  const outcome = await poll(tools, refund);
  if (outcome?.kind === 'UNKNOWN')
    throw new Failure(failures.unavailable, { message: outcome.description });
  return true;
};
