import { limits } from '@florin/contract';
import type { Pence } from '#kernel/pence.ts';
import type { Ids } from '#platform/ids.ts';
import { isSubmitted, isTry, wasHandedOver } from './attempt-lifecycle.ts';
import { availablePence } from './find-share.ts';
import {
  type Attempt,
  type Creditor,
  isHeldByBank,
  isPastExpiry,
  leaseFor,
  noShare,
  type Payment,
  type SettlesTo,
  tipToPay,
} from './payment.ts';

export type AttemptOrder = {
  readonly institutionId: string;
  readonly amountPence: Pence;
  readonly tipPence: Pence;
  readonly creditor: Creditor;
  readonly settlesTo: SettlesTo;
  readonly applicationUserId: string | null;
  readonly paymentDevice: object | null;
};

/** How long creating a consent may take before the attempt counts as lost. */
const consentLeaseMs = 60_000;

export const newAttempt = (ids: Ids, payment: Payment, order: AttemptOrder): Attempt => {
  const attemptId = ids.uuid();
  return {
    attemptId,
    position: payment.attempts.length + 1,
    paymentIdempotencyId: newAttemptId(ids),
    method: 'PAY_BY_BANK',
    status: 'AWAITING_AUTHORIZATION',
    step: 'CREATING_CONSENT',
    institutionId: order.institutionId,
    shareId: payment.splitsBill ? attemptId : noShare,
    amountPence: order.amountPence,
    tipPence: tipToPay(payment, order.tipPence),
    parts: null,
    creditor: order.creditor,
    settlesTo: order.settlesTo,
    railStateEncrypted: null,
    railReference: null,
    tracingId: null,
    bankPaymentReference: null,
    oauthState: ids.token(160),
    isoStatusCode: null,
    isoStatusName: null,
    isoStatusAt: null,
    isSettled: false,
    errorCode: null,
    errorDescription: null,
    endedReason: null,
    payerEncrypted: null,
    consumerName: null,
    applicationUserId: order.applicationUserId,
    paymentDevice: order.paymentDevice,
    authoriseByBusiness: authoriseBy(payment, limits.authorisationOpenMs),
    leasedUntil: leaseFor(payment, consentLeaseMs),
    pollBusinessAt: null,
    pollCount: 0,
    submittedAt: null,
    operatorAlertedAt: null,
    card: null,
    createdAt: payment.now,
    updatedAt: payment.now,
  };
};

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

const whyMoneyMayMove = (payment: Payment): CannotStart | null => {
  const { attempts } = payment;
  if (payment.splitsBill) return availablePence(payment) <= 0n ? 'UNDER_WAY' : null;
  if (attempts.some(({ status }) => isSubmitted(status))) return 'UNDER_WAY';
  return attempts.some(isHeldByBank) ? 'MONEY_HELD' : null;
};
