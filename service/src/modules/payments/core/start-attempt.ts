import { failures, limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { isSubmitted } from './attempt-lifecycle.ts';
import { changePayment } from './change-payment.ts';
import { addAttempt, noteAttempt } from './draft-change.ts';
import {
  type AttemptOrder,
  authoriseBy,
  type CannotStart,
  newAttempt,
  whyNotStart,
} from './new-attempt.ts';
import { sealRailState } from './open-rail-state.ts';
import {
  type Attempt,
  findAttempt,
  isAtProcessor,
  latestAttempt,
  type Payment,
} from './payment.ts';
import { isAlternativeTo, supersedeUnfinished } from './supersede-unfinished.ts';

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
      railStateEncrypted: sealRailState(tools.secrets, attemptId, consent.state),
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
