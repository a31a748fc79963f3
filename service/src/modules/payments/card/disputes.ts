import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { noPence, type Pence, pence } from '#kernel/pence.ts';
import { type OperatorCase, openCases, type ResolvedCase } from '#modules/operator-cases/index.ts';
import type { Tools } from '#platform/tools.ts';
import type { DisputeOutcome } from '#rails/card-rail.ts';
import {
  type AttemptNote,
  type Change,
  changePayment,
  noteAttempt,
  noteHistory,
} from '../core/change-payment.ts';
import { disputedPostings, disputeWonPostings } from '../core/completed-postings.ts';
import {
  type Attempt,
  type CardDispute,
  findAttempt,
  type Payment,
  totalPence,
} from '../core/payment.ts';
import type { RecordTools } from './outcomes.ts';
import type { FoundCardAttempt } from './store/find-cards.ts';

type Dispute = Extract<DisputeOutcome, { readonly kind: 'DISPUTE' }>;

/**
 * The customer's bank reversed the payment, and may release the money again: the books follow the
 * processor and the history records it. The payment stays COMPLETED, and no event is sent
 * (CARD-15).
 */
export const recordDispute = async (
  tools: RecordTools,
  {
    tenant,
    paymentRequestId,
    attemptId,
  }: Pick<FoundCardAttempt, 'tenant' | 'paymentRequestId' | 'attemptId'>,
  reference: string,
  dispute: Dispute,
): Promise<void> => {
  let ended: Attempt | null = null;
  await changePayment(tools, tenant, paymentRequestId, (payment, change) => {
    const attempt = findAttempt(payment, attemptId);
    ended = attempt && isEndedUnpaid(attempt) ? attempt : null;
    if (!attempt?.card || ended) return false;
    if (attempt.status !== 'COMPLETED') throw notRecordedYet();
    return applyDispute(tools, change, attempt, reference, dispute);
  });
  if (ended) await openContradiction(tools, { tenant, paymentRequestId }, ended);
};

const isEndedUnpaid = ({ status }: Attempt): boolean =>
  status === 'FAILED' || status === 'CANCELLED';

/** The first report of a state has its effect, an equal one has none. */
export const applyDispute = (
  tools: Pick<Tools, 'ids'>,
  change: Change,
  attempt: Attempt,
  reference: string,
  dispute: Dispute,
): boolean => {
  const { status } = dispute;
  const { card } = attempt;
  if (!card) return false;
  const before = card.disputes.find((each) => each.reference === reference);
  const after = known(change.payment, reference, dispute);
  if (before && isSame(before, after)) return false;
  if (before && isOlder(after, before)) return false;
  const others = card.disputes.filter((each) => each !== before);
  if (!before) noteHistory(change, attempt, 'disputed', dispute.reason);
  const ending = endings[status];
  change.cases.push(...casesOf(change.payment, attempt, before, after));
  change.resolvedCases.push(...settledBy(before, after));
  if (ending && before?.status !== status) noteHistory(change, attempt, ending, dispute.reason);
  noteAttempt(change, attempt.attemptId, { card: { ...card, disputes: [...others, after] } });
  const moved = withdrawnPence(after) - (before ? withdrawnPence(before) : noPence);
  const transactionId = tools.ids.uuid();
  if (moved > 0n)
    change.postings.push(...disputedPostings(change.payment, attempt, pence(moved), transactionId));
  if (moved < 0n)
    change.postings.push(
      ...disputeWonPostings(change.payment, attempt, pence(-moved), transactionId),
    );
  return true;
};

/**
 * Read earlier, written later. A dispute only moves forward: an inquiry, even one that was closed, may become
 * a dispute that takes the money, and no dispute becomes an inquiry again.
 */
const isOlder = (one: CardDispute, other: CardDispute): boolean => {
  if (isInquiry(one) !== isInquiry(other)) return isInquiry(one);
  if (one.status !== other.status) return ranks[one.status] < ranks[other.status];
  return one.submissions < other.submissions;
};

const isInquiry = ({ amountPence }: CardDispute): boolean => amountPence === noPence;

const ranks: Readonly<Record<Dispute['status'], number>> = { OPEN: 0, LOST: 1, WON: 2 };

const known = (
  { clockOffsetMs }: Payment,
  reference: string,
  { status, amountPence, reason, respondBy, submissions }: Dispute,
): CardDispute => ({
  ...{ reference, status, amountPence, reason, submissions },
  respondBy: respondBy && new Date(respondBy.getTime() + clockOffsetMs),
});

const isSame = (one: CardDispute, other: CardDispute): boolean =>
  one.status === other.status &&
  one.amountPence === other.amountPence &&
  one.submissions === other.submissions &&
  one.respondBy?.getTime() === other.respondBy?.getTime();

const casesOf = (
  { paymentRequestId, orderId }: Payment,
  attempt: Attempt,
  before: CardDispute | undefined,
  { reference: subject, status, amountPence, reason, respondBy }: CardDispute,
): readonly OperatorCase[] => {
  const evidence = {
    ...{ paymentRequestId, attemptId: attempt.attemptId, orderId, reason },
    // An inquiry has taken nothing: it asks about the whole payment.
    amountPence: Number(amountPence || totalPence(attempt)),
    respondBy: respondBy?.toISOString() ?? null,
  };
  if (status === 'LOST' && before?.status !== 'LOST')
    return [{ kind: 'DISPUTE_LOST', subject, description: 'A dispute was lost.', evidence }];
  // An inquiry can become a dispute under the same id: the merchant must answer again.
  const isNew = !before || (before.amountPence === noPence && amountPence !== noPence);
  if (!isNew || status !== 'OPEN') return [];
  const description = 'A card holder disputes a payment: answer on its page, or at the processor.';
  return [{ kind: 'DISPUTE_OPENED', subject, description, evidence }];
};

/** What waited for the decision ends with it; one that is won after all was not lost. */
const settledBy = (
  before: CardDispute | undefined,
  { reference: subject, status }: CardDispute,
): readonly ResolvedCase[] => {
  if (!before || status === 'OPEN' || before.status === status) return [];
  const kind = before.status === 'LOST' ? 'DISPUTE_LOST' : 'DISPUTE_OPENED';
  const resolution = status === 'WON' ? 'The dispute was won.' : 'The dispute was lost.';
  return [{ kind, subject, actor: 'card processor', resolution }];
};

const endings: Readonly<Partial<Record<Dispute['status'], AttemptNote>>> = {
  WON: 'disputeWon',
  LOST: 'disputeLost',
};

/** The processor debits the money when a dispute opens, and credits it when it is won. */
const withdrawnPence = ({ status, amountPence }: CardDispute): Pence =>
  status === 'WON' ? noPence : amountPence;

const notRecordedYet = (): Failure =>
  new Failure(failures.unavailable, {
    message: 'The payment of this dispute is not recorded yet. Send the event again.',
    retryAfterSeconds: 5,
  });

const openContradiction = (
  tools: RecordTools,
  { tenant, paymentRequestId }: Pick<Payment, 'tenant' | 'paymentRequestId'>,
  { attemptId, status }: Attempt,
): Promise<void> =>
  openCases(tools, [
    {
      tenant,
      kind: 'PROCESSOR_CONTRADICTION',
      subject: attemptId,
      description:
        'A payment that was never completed here is disputed: compare the books with the processor.',
      evidence: { paymentRequestId, attemptId, status },
    },
  ]);
