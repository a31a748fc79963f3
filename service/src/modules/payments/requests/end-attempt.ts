import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import type { AttemptStep, AttemptTrigger, CardTrigger } from '../core/attempt-lifecycle.ts';
import { changePayment } from '../core/change-payment.ts';
import { type Change, moveAttempt } from '../core/draft-change.ts';
import { emitOutcome } from '../core/emit-outcome.ts';
import {
  type Attempt,
  findAttempt,
  isAtProcessor,
  isLeased,
  isPastExpiry,
  type Payment,
} from '../core/payment.ts';
import { endIfExpired } from './end-if-expired.ts';

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
  changePayment(tools, payment.tenant, payment.paymentRequestId, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    if (attempt?.status !== 'AWAITING_AUTHORIZATION' || isAtProcessor(attempt)) return false;
    end(tools, change, attemptId, trigger, reason);
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
    end(tools, change, attemptId, trigger, reason);
    return true;
  });

/**
 * Who waits at a bank has business time. A step that a program of ours is in the middle of has its
 * lease, which is real time: a moved clock does not make that program any slower.
 */
const isTimeOver = (payment: Payment, attempt: Attempt): boolean =>
  workedOnSteps.has(attempt.step)
    ? !isLeased(payment, attempt)
    : attempt.authoriseByBusiness <= payment.now;

const workedOnSteps = new Set<AttemptStep>(['CREATING_CONSENT', 'EXCHANGING']);

const end = (
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
  if (step === 'CREATING_CONSENT')
    return [
      'refusedByBank',
      {
        code: 'CONSENT_LOST',
        description: 'The bank could not be reached. No money has moved.',
      },
    ];
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
