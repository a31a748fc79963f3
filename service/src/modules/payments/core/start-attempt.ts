import { failures, limits } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import type { Ids } from '#platform/clock.ts';
import type { Uses } from '#platform/tools.ts';
import { addAttempt, type Change, changeLoaded } from './change-payment.ts';
import {
  type Attempt,
  isAtProcessor,
  isHeldByBank,
  isPastExpiry,
  latestAttempt,
  type Payment,
} from './payment.ts';
import { isSubmitted, isTry, wasHandedOver } from './payment-lifecycles.ts';
import { availablePence } from './shares.ts';
import { isAlternativeTo, supersedeUnfinished } from './supersede-unfinished.ts';

/** What nobody has said of an attempt that begins. */
export const nothingYet = {
  parts: null,
  railReference: null,
  tracingId: null,
  bankPaymentReference: null,
  oauthState: null,
  isoStatusCode: null,
  isoStatusName: null,
  isoStatusAt: null,
  isSettled: false,
  errorCode: null,
  errorDescription: null,
  endedReason: null,
  payerEncrypted: null,
  pollCount: 0,
  operatorAlertedAt: null,
} as const satisfies Partial<Attempt>;

/** 130 random bits in 31 characters: it is the EndToEndIdentification (BANK-10). */
export const newAttemptId = (ids: Ids): string => `ATOA${ids.token(130).toUpperCase()}`;

/** The end of a step's lease; a strict request allows no longer than its own end. */
export const authoriseBy = (
  payment: Pick<Payment, 'now' | 'strictExpiry' | 'expiresBusinessAt'>,
  withinMs: number,
): Date => {
  const open = payment.now.getTime() + withinMs;
  const end = payment.strictExpiry ? Math.min(open, payment.expiresBusinessAt.getTime()) : open;
  return new Date(end);
};

export type CannotStart =
  | 'PAID'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'UNDER_WAY'
  | 'MONEY_HELD'
  | 'SUSPENDED'
  | 'NO_RETRY'
  | 'TOO_MANY_ATTEMPTS';

/** Why a payer may not start now, or null. Under way or held: money may have moved (BANK-3). */
export const whyNotStart = (payment: Payment): CannotStart | null => {
  if (payment.status === 'PAID') return 'PAID';
  if (payment.status === 'CANCELLED' || payment.kind === 'CARD_CHARGE') return 'CANCELLED';
  const moving = whyMoneyMayMove(payment);
  if (moving) return moving;
  if (payment.status === 'EXPIRED' || isPastExpiry(payment)) return 'EXPIRED';
  if (payment.merchant.isSuspended) return 'SUSPENDED';
  const handedOver = payment.attempts.filter(wasHandedOver);
  if (handedOver.length >= limits.attemptsPerRequest) return 'TOO_MANY_ATTEMPTS';
  return hasNoTryLeft(payment) ? 'NO_RETRY' : null;
};

/** Refused before anybody is called, or an open page is closed for it. */
export const whyNotWhileSuspended = (payment: Payment): CannotStart | null =>
  payment.merchant.isSuspended ? whyNotStart(payment) : null;

/** The merchant allows one try, and it had an outcome (BANK-13). */
export const hasNoTryLeft = ({
  retryAllowed,
  splitsBill,
  attempts,
}: Pick<Payment, 'retryAllowed' | 'splitsBill' | 'attempts'>): boolean =>
  !retryAllowed && !splitsBill && attempts.some(isTry);

/** What the payer reads of a failure: no advice to try again where the merchant allows no other try. */
export const shownError = (payment: Payment, { errorDescription }: Attempt): string | null =>
  errorDescription !== null && hasNoTryLeft(payment)
    ? errorDescription
        .split(/(?<=[.!?;]) /)
        .filter((sentence) => !/try again|another (way|bank|card)/i.test(sentence))
        .join(' ')
        .replace(/;$/, '.')
    : errorDescription;

const whyMoneyMayMove = (payment: Payment): CannotStart | null => {
  const { attempts } = payment;
  if (payment.splitsBill) return availablePence(payment) <= 0n ? 'UNDER_WAY' : null;
  if (attempts.some(({ status }) => isSubmitted(status))) return 'UNDER_WAY';
  return attempts.some(isHeldByBank) ? 'MONEY_HELD' : null;
};

export type Started =
  | { readonly kind: 'STARTED'; readonly payment: Payment; readonly attempt: Attempt }
  | { readonly kind: 'NOT_STARTED'; readonly payment: Payment; readonly why: CannotStart };

/** Why nobody may be called for a start, or null. The same decides when it is written. */
export const whyNotBegin = (payment: Payment): CannotStart | null => {
  const why = whyNotStart(payment);
  if (why === null) refuseTooManyStarts(payment);
  return why;
};

/**
 * Earlier starts stand until one of them is approved: the payer may be at the bank (BANK-3). The caller
 * closes an open card page first.
 */
export const beginAttempt = async (
  tools: Uses<'database' | 'wakeDispatcher'>,
  found: Payment,
  attemptOf: (payment: Payment) => Attempt,
  /** What is known of it already. */
  goOn: (change: Change, attempt: Attempt) => void = () => undefined,
): Promise<Started> => {
  const { paymentRequestId } = found;
  let why: CannotStart | null = null;
  const payment = await changeLoaded(tools, found, (current, change) => {
    why = whyNotBegin(current);
    if (why) return false;
    const attempt = attemptOf(current);
    if (current.attempts.some((each) => isAtProcessor(each) && each.shareId === attempt.shareId))
      why = 'UNDER_WAY';
    if (why) return false;
    const isAlternative = isAlternativeTo(attempt);
    supersedeUnfinished(
      change,
      (other) => isAlternative(other) && (isSubmitted(attempt.status) || isOpeningPage(other)),
    );
    addAttempt(change, attempt);
    change.directory.push(
      { publicId: attempt.paymentIdempotencyId, kind: 'ATTEMPT', targetId: paymentRequestId },
      ...(attempt.oauthState
        ? [
            {
              publicId: attempt.oauthState,
              kind: 'BANK_STATE',
              targetId: paymentRequestId,
            } as const,
          ]
        : []),
    );
    goOn(change, attempt);
    return true;
  });
  const attempt = latestAttempt(payment);
  if (why || !attempt) return { kind: 'NOT_STARTED', payment, why: why ?? 'UNDER_WAY' };
  return { kind: 'STARTED', payment, attempt };
};

/** Of two card pages one is opened: no payer gets the address of the other. */
const isOpeningPage = ({ step }: Attempt): boolean => step === 'OPENING_PAGE';

/** Unfinished starts end no request, so only their rate is limited (BANK-13). */
const refuseTooManyStarts = ({ attempts, now }: Payment): void => {
  const { startsPerRequest, startsWithinMs } = limits;
  const since = now.getTime() - startsWithinMs;
  const firstOfMany = attempts.at(-startsPerRequest)?.createdAt.getTime() ?? since;
  if (attempts.length < startsPerRequest || firstOfMany <= since) return;
  throw new Failure(failures.rateLimited, {
    message: 'This payment was started very often. Wait for the time in Retry-After.',
    retryAfterSeconds: Math.ceil((firstOfMany - since) / 1_000),
  });
};
