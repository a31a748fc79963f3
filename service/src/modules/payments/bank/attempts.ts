import { limits } from '@florin/contract';
import type { Pence } from '#kernel/pence.ts';
import type { Ids } from '#platform/clock.ts';
import type { Uses } from '#platform/tools.ts';
import type { ConsentOutcome } from '#rails/bank-rail.ts';
import { encryptRailState } from '../core/encrypted-columns.ts';
import {
  type Attempt,
  type Creditor,
  noShare,
  type Payment,
  type SettlesTo,
  tipToPay,
} from '../core/payment.ts';
import {
  authoriseBy,
  beginAttempt,
  newAttemptId,
  nothingYet,
  type Started,
} from '../core/start-attempt.ts';
import { endChanged } from '../requests/end-request.ts';

export type AttemptOrder = {
  readonly institutionId: string;
  readonly amountPence: Pence;
  readonly tipPence: Pence;
  readonly creditor: Creditor;
  readonly settlesTo: SettlesTo;
  readonly applicationUserId: string | null;
  readonly paymentDevice: object | null;
};

/** A try by bank, of which nothing is written before its bank has answered. */
export const newAttempt = (ids: Ids, payment: Payment, order: AttemptOrder): Attempt => {
  const attemptId = ids.uuid();
  return {
    ...nothingYet,
    ...order,
    ...timesOf(payment),
    attemptId,
    paymentIdempotencyId: newAttemptId(ids),
    method: 'PAY_BY_BANK',
    status: 'AWAITING_AUTHORIZATION',
    step: 'AT_BANK',
    shareId: payment.splitsBill ? attemptId : noShare,
    tipPence: tipToPay(payment, order.tipPence),
    railStateEncrypted: null,
    oauthState: ids.token(160),
    consumerName: null,
    leasedUntil: null,
    pollBusinessAt: null,
    submittedAt: null,
    card: null,
  };
};

const timesOf = (payment: Payment) => ({
  position: payment.attempts.length + 1,
  authoriseByBusiness: authoriseBy(payment, limits.authorisationOpenMs),
  createdAt: payment.now,
  updatedAt: payment.now,
});

/** What the bank answered to the request for a consent; refused, the attempt has ended. */
export type ConsentAnswer =
  | Pick<
      Extract<ConsentOutcome, { readonly kind: 'CREATED' }>,
      'kind' | 'state' | 'reference' | 'interactionId'
    >
  | { readonly kind: 'REFUSED'; readonly code: string; readonly description: string };

/**
 * Writes down a start with its bank's answer. A program that is killed between the two leaves a consent
 * that nobody can approve, as no payer has its address.
 */
export const startAttempt = (
  tools: Uses<'database' | 'ids' | 'secrets' | 'wakeDispatcher'>,
  payment: Payment,
  attempt: Attempt,
  answer: ConsentAnswer,
): Promise<Started> => {
  const { attemptId } = attempt;
  const consent =
    answer.kind === 'CREATED'
      ? {
          railStateEncrypted: encryptRailState(tools.secrets, attemptId, answer.state),
          railReference: answer.reference,
          tracingId: answer.interactionId,
        }
      : {};
  return beginAttempt(
    tools,
    payment,
    (current) => ({ ...attempt, ...timesOf(current), ...consent }),
    (change) => {
      if (answer.kind === 'REFUSED') endChanged(tools, change, attemptId, 'refusedByBank', answer);
    },
  );
};
