import { limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import { changePayment } from './change-payment.ts';
import { addAttempt, type Change, moveAttempt, noteAttempt } from './draft-change.ts';
import { isOwnUnfinished } from './find-share.ts';
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

export type Started =
  | { readonly kind: 'STARTED'; readonly payment: Payment; readonly attempt: Attempt }
  | { readonly kind: 'NOT_STARTED'; readonly payment: Payment; readonly why: CannotStart };

type StartTools = Uses<'database' | 'ids' | 'wakeDispatcher'>;

/** Writes down the intent to pay by bank before any bank hears of it. */
export const startAttempt = (
  tools: StartTools,
  tenant: Tenant,
  paymentRequestId: string,
  orderOf: (payment: Payment) => AttemptOrder,
  payerId: string | null = null,
): Promise<Started> =>
  beginAttempt(tools, tenant, paymentRequestId, payerId, (payment) =>
    newAttempt(tools.ids, payment, orderOf(payment)),
  );

/**
 * Attempts that were not finished at their bank are superseded: their codes will never be exchanged. A
 * card page is closed first by who calls.
 */
export const beginAttempt = async (
  tools: Uses<'database' | 'wakeDispatcher'>,
  tenant: Tenant,
  paymentRequestId: string,
  payerId: string | null,
  attemptOf: (payment: Payment) => Attempt,
): Promise<Started> => {
  let why: CannotStart | null = null;
  const payment = await changePayment(tools, tenant, paymentRequestId, (current, change) => {
    // Of a split bill the others' shares stand: a payer releases only their own unfinished one.
    if (current.splitsBill) supersede(change, (attempt) => isOwnUnfinished(attempt, payerId));
    why = whyNotStart(change.payment);
    if (why) return false;
    const attempt = attemptOf(change.payment);
    if (!current.splitsBill) supersede(change, isUnfinished);
    if (
      change.payment.attempts.some(
        (each) => isAtProcessor(each) && each.shareId === attempt.shareId,
      )
    )
      why = 'UNDER_WAY';
    if (why) return false;
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

const isUnfinished = ({ status }: Attempt): boolean => status === 'AWAITING_AUTHORIZATION';

const supersede = (change: Change, isMeant: (attempt: Attempt) => boolean): void => {
  for (const attempt of change.payment.attempts)
    if (isMeant(attempt) && !isAtProcessor(attempt))
      moveAttempt(change, attempt.attemptId, 'superseded', {
        step: 'ENDED',
        endedReason: 'SUPERSEDED',
      });
};

/** The bank has a consent and waits for the payer. False where the attempt was ended meanwhile. */
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
