import { failures, limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Ids } from '#platform/clock.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type Change,
  changeLoaded,
  changePayment,
  moveAttempt,
  moveRequest,
} from '../core/change-payment.ts';
import { emitExpiry, emitOutcome } from '../core/emit-outcome.ts';
import {
  type Attempt,
  findAttempt,
  isAtProcessor,
  isLeased,
  isPastExpiry,
  type Payment,
  waitsForPayer,
} from '../core/payment.ts';
import {
  type AttemptStep,
  type AttemptTrigger,
  type CardTrigger,
  isLive,
  isPaid,
  isSubmitted,
} from '../core/payment-lifecycles.ts';

/** Expired means: its time is over and no attempt is live. It is emitted once (REQUEST-5). */
export const endIfExpired = (tools: { readonly ids: Ids }, change: Change): boolean => {
  const { payment } = change;
  if (payment.status !== 'OPEN' || !isPastExpiry(payment)) return false;
  if (payment.attempts.some((attempt) => isLive(attempt.status))) return false;
  moveRequest(change, 'expired');
  emitExpiry(tools, change);
  return true;
};

type EndTools = Uses<'database' | 'ids' | 'wakeDispatcher'>;

type EndTrigger =
  | Exclude<AttemptTrigger, 'submitted' | 'accepted' | 'rejected' | 'reversed' | CardTrigger>
  | 'declinedAtProcessor';
type Reason = { readonly code: string; readonly description: string };

/** Ends an attempt before anything was handed to a bank or a processor: no money has moved. */
export const endAttempt = (
  tools: EndTools,
  payment: Payment,
  attemptId: string,
  trigger: EndTrigger,
  reason: Reason,
): Promise<Payment> =>
  changeLoaded(tools, payment, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    if (attempt?.status !== 'AWAITING_AUTHORIZATION' || isAtProcessor(attempt)) return false;
    endChanged(tools, change, attemptId, trigger, reason);
    return true;
  });

/** Ends an attempt whose time is over; its step decides what the silence means. */
export const closeAttempt = (
  tools: EndTools,
  tenant: Tenant,
  paymentRequestId: string,
  attemptId: string,
): Promise<Payment> =>
  changePayment(tools, tenant, paymentRequestId, (payment, change) => {
    const attempt = findAttempt(payment, attemptId);
    if (attempt?.status !== 'AWAITING_AUTHORIZATION' || isAtProcessor(attempt)) return false;
    if (!isTimeOver(payment, attempt)) return false;
    const isExpired = payment.strictExpiry && isPastExpiry(payment);
    const [trigger, reason] = isExpired ? expired : silence(attempt.step);
    endChanged(tools, change, attemptId, trigger, reason);
    return true;
  });

/**
 * Who waits at a bank has business time. A step that a program of ours is in the middle of has its
 * lease, which is real time: a moved clock does not make that program any slower.
 */
const isTimeOver = (payment: Payment, attempt: Attempt): boolean =>
  attempt.step === 'EXCHANGING'
    ? !isLeased(payment, attempt)
    : attempt.authoriseByBusiness <= payment.now;

/** Within a change: nothing was handed to a bank or a processor, so no money has moved. */
export const endChanged = (
  tools: EndTools,
  change: Change,
  attemptId: string,
  trigger: EndTrigger,
  reason: Reason,
): void => {
  moveAttempt(change, attemptId, trigger, {
    step: 'ENDED',
    endedReason: reason.code,
    errorCode: reason.code,
    errorDescription: reason.description,
  });
  // A payer who turned back is no visible change to the merchant; a bank that failed is.
  if (shownTriggers.has(trigger)) emitOutcome(tools, change, attemptId);
  endIfExpired(tools, change);
};

const shownTriggers = new Set<EndTrigger>(['refusedByBank', 'exchangeLost', 'declinedAtProcessor']);

type Ending = readonly [trigger: EndTrigger, reason: Reason];

const expired: Ending = [
  'requestExpired',
  {
    code: 'REQUEST_EXPIRED',
    description: 'The payment request expired before the payment was approved.',
  },
];

const silence = (step: AttemptStep): Ending => {
  if (step === 'OPENING_PAGE')
    return [
      'declinedAtProcessor',
      {
        code: 'PROCESSOR_UNREACHABLE',
        description: 'The card processor could not be reached. No money has moved.',
      },
    ];
  if (step === 'EXCHANGING')
    return [
      'exchangeLost',
      {
        code: 'EXCHANGE_LOST',
        description: 'The payment was interrupted before it was sent. No money has moved.',
      },
    ];
  return [
    'abandoned',
    {
      code: 'NOT_APPROVED_IN_TIME',
      description: 'The payment was not approved at the bank in time.',
    },
  ];
};

/** Extends the request by `expiresIn`; the expiry is emitted at the new end only. */
export const extendTime = (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Payment> =>
  changePayment(tools, tenant, paymentRequestId, (payment, change) => {
    if (!canExtend(payment)) return false;
    change.payment = {
      ...payment,
      timeExtensions: payment.timeExtensions + 1,
      expiresBusinessAt: new Date(payment.expiresBusinessAt.getTime() + payment.expiresInMs),
    };
    change.history.push({
      subject: 'REQUEST',
      subjectId: paymentRequestId,
      fromStatus: payment.status,
      toStatus: payment.status,
      trigger: 'timeExtended',
      detail: change.payment.expiresBusinessAt.toISOString(),
    });
    return true;
  });

/** May a payer who needs longer have it (REQUEST-6)? */
export const canExtend = (payment: Payment): boolean =>
  payment.status === 'OPEN' &&
  !isPastExpiry(payment) &&
  !payment.strictExpiry &&
  payment.retryAllowed &&
  payment.timeExtensions < limits.timeExtensions;

// Existing clients match on this text.
const alreadyPaid =
  "Your payment has already been processed and can't be cancelled. Please contact us if you need any help.";

/** Ends a request without a payment in progress; an open consent can no longer be submitted. */
export const cancelPaymentRequest = (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  paymentRequestId: string,
): Promise<Payment> =>
  changePayment(tools, tenant, paymentRequestId, (payment, change) => {
    if (payment.status === 'CANCELLED') return false;
    refuseUncancellable(payment);
    if (payment.attempts.some(waitsForPayer)) throw payingByCard();
    for (const attempt of payment.attempts)
      if (attempt.status === 'AWAITING_AUTHORIZATION')
        moveAttempt(change, attempt.attemptId, 'requestCancelled', {
          step: 'ENDED',
          endedReason: 'REQUEST_CANCELLED',
        });
    moveRequest(change, 'cancelledByMerchant');
    return true;
  });

/**
 * Refuses what cannot be cancelled even once the card pages are closed: no page is closed for it
 * (REQUEST-9).
 */
export const refuseUncancellable = (payment: Payment): void => {
  if (payment.attempts.some(isPaid))
    throw new Failure(failures.badRequest, { message: alreadyPaid });
  if (payment.status !== 'OPEN')
    throw new Failure(failures.invalidState, { message: 'The payment request has expired.' });
  if (payment.kind === 'CARD_CHARGE')
    throw new Failure(failures.invalidState, {
      message:
        'This is a charge of a saved card: cancel it under /api/payments/card/payment-request.',
    });
  if (payment.attempts.some((attempt) => isSubmitted(attempt.status) && !waitsForPayer(attempt)))
    throw new Failure(failures.invalidState, {
      message: 'A bank is working on this payment. Wait for its outcome.',
    });
};

const payingByCard = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'The customer is paying by card at this moment. Retry shortly.',
  });
