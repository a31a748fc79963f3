import { limits } from '@florin/contract';
import { noPence, type Pence } from '#kernel/pence.ts';
import type { Ids } from '#platform/clock.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardInitiator } from '#rails/card-rail.ts';
import { changeLoaded, noteAttempt } from '../core/change-payment.ts';
import { encryptRailState } from '../core/encrypted-columns.ts';
import {
  type Attempt,
  type AttemptCard,
  type AttemptCardFacts,
  type CaptureType,
  findAttempt,
  noShare,
  type Payment,
  tipToPay,
} from '../core/payment.ts';
import type { CardStep } from '../core/payment-lifecycles.ts';
import {
  authoriseBy,
  beginAttempt,
  newAttemptId,
  nothingYet,
  type Started,
} from '../core/start-attempt.ts';
import { nextPagePoll } from './next-card-poll.ts';

/** The institution of a card attempt: the hosted page names it like a bank. */
export const cardInstitution = 'card';

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

type StartedPayment = Pick<
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
export const newCardAttempt = (
  ids: Ids,
  payment: StartedPayment,
  order: CardAttemptOrder,
): Attempt => {
  const attemptId = order.attemptId ?? ids.uuid();
  const { now } = payment;
  return {
    ...nothingYet,
    attemptId,
    method: 'CARD',
    institutionId: cardInstitution,
    settlesTo: 'PROCESSOR',
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
  lastDecline: null,
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

/** Records the intent to pay by card before the processor is called. */
export const startCardAttempt = (
  tools: Uses<'database' | 'ids' | 'wakeDispatcher'>,
  found: Payment,
  orderOf: (payment: Payment) => CardAttemptOrder,
): Promise<Started> =>
  beginAttempt(tools, found, (payment) => newCardAttempt(tools.ids, payment, orderOf(payment)));

/**
 * The processor has a page and waits for the payer. False when the attempt was ended meanwhile:
 * then no payer gets the address of that page.
 */
export const recordCardPage = async (
  tools: Uses<'database' | 'secrets' | 'wakeDispatcher'>,
  payment: Payment,
  attemptId: string,
  page: { readonly state: string; readonly reference: string },
): Promise<boolean> => {
  const after = await changeLoaded(tools, payment, (current, change) => {
    const attempt = findAttempt(current, attemptId);
    if (attempt?.status !== 'AWAITING_AUTHORIZATION' || attempt.step !== 'OPENING_PAGE')
      return false;
    noteAttempt(change, attemptId, {
      step: 'AT_PROCESSOR',
      railStateEncrypted: encryptRailState(tools.secrets, attemptId, page.state),
      railReference: page.reference,
      authoriseByBusiness: authoriseBy(current, limits.authorisationOpenMs),
      pollBusinessAt: nextPagePoll(current, 0),
    });
    return true;
  });
  return after.attempts.some(
    (attempt) => attempt.attemptId === attemptId && attempt.step === 'AT_PROCESSOR',
  );
};
