import { failures, limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Pence } from '#kernel/pence.ts';
import type { Ids } from '#platform/clock.ts';
import type { Uses } from '#platform/tools.ts';
import { addAttempt, changePayment, noteAttempt } from './change-payment.ts';
import { encryptRailState } from './encrypted-columns.ts';
import {
  type Attempt,
  type Creditor,
  findAttempt,
  isAtProcessor,
  isHeldByBank,
  isPastExpiry,
  latestAttempt,
  leaseFor,
  noShare,
  type Payment,
  type SettlesTo,
  tipToPay,
} from './payment.ts';
import { isSubmitted, isTry, wasHandedOver } from './payment-lifecycles.ts';
import { availablePence } from './shares.ts';
import { isAlternativeTo, supersedeUnfinished } from './supersede-unfinished.ts';

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
    ...nothingYet,
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
    creditor: order.creditor,
    settlesTo: order.settlesTo,
    railStateEncrypted: null,
    oauthState: ids.token(160),
    consumerName: null,
    applicationUserId: order.applicationUserId,
    paymentDevice: order.paymentDevice,
    authoriseByBusiness: authoriseBy(payment, limits.authorisationOpenMs),
    leasedUntil: leaseFor(payment, consentLeaseMs),
    pollBusinessAt: null,
    submittedAt: null,
    card: null,
    createdAt: payment.now,
    updatedAt: payment.now,
  };
};

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

const whyMoneyMayMove = (payment: Payment): CannotStart | null => {
  const { attempts } = payment;
  if (payment.splitsBill) return availablePence(payment) <= 0n ? 'UNDER_WAY' : null;
  if (attempts.some(({ status }) => isSubmitted(status))) return 'UNDER_WAY';
  return attempts.some(isHeldByBank) ? 'MONEY_HELD' : null;
};

export type Started =
  | { readonly kind: 'STARTED'; readonly payment: Payment; readonly attempt: Attempt }
  | { readonly kind: 'NOT_STARTED'; readonly payment: Payment; readonly why: CannotStart };

type StartTools = Uses<'database' | 'ids' | 'wakeDispatcher'>;

/** Records the intent to pay by bank before the bank is called. */
export const startAttempt = (
  tools: StartTools,
  tenant: Tenant,
  paymentRequestId: string,
  orderOf: (payment: Payment) => AttemptOrder,
): Promise<Started> =>
  beginAttempt(tools, tenant, paymentRequestId, (payment) =>
    newAttempt(tools.ids, payment, orderOf(payment)),
  );

/**
 * Earlier starts stand until one of them is approved: the payer may be at the bank (BANK-3). The caller
 * closes an open card page first.
 */
export const beginAttempt = async (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  paymentRequestId: string,
  attemptOf: (payment: Payment) => Attempt,
): Promise<Started> => {
  let why: CannotStart | null = null;
  const payment = await changePayment(tools, tenant, paymentRequestId, (current, change) => {
    why = whyNotStart(current);
    if (why) return false;
    refuseTooManyStarts(current);
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

/** The bank has a consent and waits for the payer. False when the attempt was ended meanwhile. */
export const recordConsent = async (
  tools: Uses<'database' | 'secrets' | 'wakeDispatcher'>,
  payment: Payment,
  attemptId: string,
  consent: {
    readonly state: string;
    readonly reference: string;
    readonly interactionId: string;
  },
): Promise<boolean> => {
  const { tenant, paymentRequestId } = payment;
  const after = await changePayment(tools, tenant, paymentRequestId, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    if (attempt?.status !== 'AWAITING_AUTHORIZATION' || attempt.step !== 'CREATING_CONSENT')
      return false;
    noteAttempt(change, attemptId, {
      step: 'AT_BANK',
      railStateEncrypted: encryptRailState(tools.secrets, attemptId, consent.state),
      railReference: consent.reference,
      tracingId: consent.interactionId,
      authoriseByBusiness: authoriseBy(current, limits.authorisationOpenMs),
    });
    return true;
  });
  return after.attempts.some(
    (attempt) => attempt.attemptId === attemptId && attempt.step === 'AT_BANK',
  );
};
