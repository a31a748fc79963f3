import { noPence, type Pence } from '#kernel/pence.ts';
import type { Ids } from '#platform/ids.ts';
import type { CardInitiator } from '#rails/card-rail.ts';
import type { AttemptCard, AttemptCardFacts, CaptureType } from '../../core/attempt-card.ts';
import type { CardStep } from '../../core/attempt-lifecycle.ts';
import { authoriseBy, newAttemptId } from '../../core/new-attempt.ts';
import { type Attempt, noShare, type Payment, tipToPay } from '../../core/payment.ts';
import { cardInstitution } from './card-institution.ts';

export type CardAttemptOrder = {
  /** Set when something was prepared in its name already. */
  readonly attemptId?: string;
  readonly status: 'AWAITING_AUTHORIZATION' | 'PENDING';
  readonly step: CardStep;
  /** The processor account that is in use now. */
  readonly accountKey: string;
  readonly amountPence: Pence;
  readonly tipPence: Pence;
  readonly captureType: CaptureType;
  readonly initiator: CardInitiator;
  readonly cardId: string | null;
  readonly facts: AttemptCardFacts | null;
  readonly railStateEncrypted: Buffer | null;
  /** For a page: how long the payer has. */
  readonly openForMs: number;
  /** When the processor is polled if no outcome is known by then; null while there is no page. */
  readonly firstPollMs: number | null;
  readonly consumerName: string | null;
  readonly applicationUserId: string | null;
  readonly paymentDevice: object | null;
};

type Started = Pick<
  Payment,
  | 'attempts'
  | 'now'
  | 'splitsBill'
  | 'strictExpiry'
  | 'expiresBusinessAt'
  | 'merchant'
  | 'fixedTipPence'
>;

/** A try by card: on the processor's page, or straight from a saved card. */
export const newCardAttempt = (ids: Ids, payment: Started, order: CardAttemptOrder): Attempt => {
  const attemptId = order.attemptId ?? ids.uuid();
  const { now } = payment;
  return {
    ...nothingYet,
    attemptId,
    position: payment.attempts.length + 1,
    paymentIdempotencyId: newAttemptId(ids),
    status: order.status,
    step: order.step,
    shareId: payment.splitsBill ? attemptId : noShare,
    amountPence: order.amountPence,
    tipPence: tipToPay(payment, order.tipPence),
    // The processor pays the merchant; no account of ours or theirs is named to it.
    creditor: { name: payment.merchant.name, sortCode: '', accountNumber: '' },
    railStateEncrypted: order.railStateEncrypted,
    consumerName: order.consumerName,
    applicationUserId: order.applicationUserId,
    paymentDevice: order.paymentDevice,
    authoriseByBusiness: authoriseBy(payment, order.openForMs),
    leasedUntil: null,
    pollBusinessAt: order.firstPollMs === null ? null : new Date(now.getTime() + order.firstPollMs),
    submittedAt: order.status === 'PENDING' ? now : null,
    card: newCard(order),
    createdAt: now,
    updatedAt: now,
  };
};

const newCard = (order: CardAttemptOrder): AttemptCard => ({
  accountKey: order.accountKey,
  cardId: order.cardId,
  captureType: order.captureType,
  initiator: order.initiator,
  facts: order.facts,
  authentication: null,
  authorisationExpiresBusinessAt: null,
  expirySource: null,
  captureBusinessAt: null,
  cancelledReasonCode: null,
  cancelledReasonDescription: null,
  intentKey: null,
  disputes: [],
  refunds: [],
  refundedPence: noPence,
  refundReservedPence: noPence,
});

const nothingYet = {
  method: 'CARD',
  parts: null,
  institutionId: cardInstitution,
  settlesTo: 'PROCESSOR',
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
} as const;
