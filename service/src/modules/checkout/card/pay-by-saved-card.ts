import { addPence } from '#kernel/pence.ts';
import { type ChargeableCard, type FindAccount, findChargeableCard } from '#modules/cards/index.ts';
import {
  type Attempt,
  type CardAttemptOrder,
  captureMethodOf,
  cardNotSaved,
  decryptRailState,
  encryptRailState,
  findAttempt,
  type Payment,
  recordCardOutcome,
  savedCardFacts,
  startCardAttempt,
  tipToPay,
  whyNotWhileSuspended,
} from '#modules/payments/index.ts';
import type { CardRail } from '#rails/card-rail.ts';
import { leaveCardPage, orderedPence } from '../bank/start-bank-payment.ts';
import { type CardStartOrder, cardDescription, cardReturnUrl } from './card-offer.ts';
import type { CardPaymentTools, CardStart } from './start-card-payment.ts';

const payerHasMs = 30 * 60_000;
/** Longer than one call to the processor takes: only lost calls are polled. */
const firstPollMs = 60_000;

/**
 * One click: the present customer pays with a saved card. The request is committed first, sent
 * once, and polled when no answer comes. The card's bank may challenge the payer.
 */
export const payBySavedCard = async (
  tools: CardPaymentTools,
  requested: Payment,
  cardId: string,
  order: CardStartOrder,
): Promise<CardStart> => {
  const rail = await tools.cardRails.need(requested.tenant);
  const payerId = order.applicationUserId ?? null;
  const why = whyNotWhileSuspended(requested);
  if (why) return { kind: 'CANNOT_START', payment: requested, why };
  const card = await cardOf(tools, rail, requested, cardId);
  const cleared = await leaveCardPage(tools, requested, payerId);
  const attemptId = tools.ids.uuid();
  let state = '';
  const started = await startCardAttempt(tools, cleared, (payment) => {
    const prepared = savedCardAttempt(tools, rail, payment, { attemptId, card, order });
    state = prepared.state;
    return prepared.attempt;
  });
  const { payment } = started;
  if (started.kind === 'NOT_STARTED') return { kind: 'CANNOT_START', payment, why: started.why };
  const outcome = await rail.charge(state);
  const after = await recordCardOutcome(tools, payment, attemptId, outcome);
  const attempt = findAttempt(after, attemptId) ?? started.attempt;
  return outcome.kind === 'ACTION_REQUIRED'
    ? { kind: 'AT_PROCESSOR', url: outcome.url, payment: after, attempt }
    : { kind: 'CHARGED', payment: after, attempt };
};

/** The origins that ask the payer in a frame of our page; null: they ask on a page of their own. */
export const challengeFramesOf = async (
  { cardRails }: { readonly cardRails: FindAccount },
  { tenant }: Payment,
  attempt: Attempt | undefined,
): Promise<readonly string[] | null> => {
  if (!attempt?.card || attempt.step !== 'STEP_UP') return null;
  const rail = await cardRails.findAccount(tenant, attempt.card.accountKey);
  return rail?.challengeFrames ?? null;
};

/** The same challenge again; null when it was answered meanwhile. */
export const reopenStepUp = async (
  tools: CardPaymentTools,
  payment: Payment,
  attempt: Attempt,
): Promise<string | null> => {
  if (!attempt.card) return null;
  const rail = await tools.cardRails.needAccount(payment.tenant, attempt.card.accountKey);
  const state = decryptRailState(tools.secrets, attempt);
  const outcome = state === null ? null : await rail.readPayment(state);
  if (!outcome) return null;
  if (outcome.kind === 'ACTION_REQUIRED') return outcome.url;
  await recordCardOutcome(tools, payment, attempt.attemptId, outcome);
  return null;
};

/** Only a card of this payment's own customer, at this processor. */
const cardOf = async (
  tools: CardPaymentTools,
  rail: CardRail,
  { tenant, customerId }: Payment,
  cardId: string,
): Promise<ChargeableCard> => {
  const found = customerId && (await findChargeableCard(tools, tenant, customerId, cardId));
  if (found && found.kind === 'CHARGEABLE' && found.card.accountKey === rail.accountKey)
    return found.card;
  throw cardNotSaved();
};

type Prepared = {
  readonly attemptId: string;
  readonly card: ChargeableCard;
  readonly order: CardStartOrder;
};

const savedCardAttempt = (
  tools: CardPaymentTools,
  rail: CardRail,
  payment: Payment,
  { attemptId, card, order }: Prepared,
): { readonly state: string; readonly attempt: CardAttemptOrder } => {
  const amountPence = orderedPence(payment, order);
  const tipPence = tipToPay(payment, order.tipPence);
  const state = rail.prepareCharge({
    attemptId,
    paymentRequestId: payment.paymentRequestId,
    amountPence: addPence(amountPence, tipPence),
    description: cardDescription(payment),
    captureMethod: captureMethodOf('AUTO_CAPTURE'),
    customerReference: card.customerReference,
    cardReference: card.cardReference,
    recurrenceType: card.recurrenceType,
    initiator: 'CUSTOMER',
    returnUrl: cardReturnUrl(tools.publicUrl, attemptId),
  });
  const attempt: CardAttemptOrder = {
    attemptId,
    status: 'PENDING',
    step: 'CHARGING',
    accountKey: rail.accountKey,
    amountPence,
    tipPence,
    captureType: 'AUTO_CAPTURE',
    initiator: 'CUSTOMER',
    cardId: card.cardId,
    facts: savedCardFacts(card),
    railStateEncrypted: encryptRailState(tools.secrets, attemptId, state),
    openForMs: payerHasMs,
    firstPollMs,
    consumerName: card.cardholderName,
    applicationUserId: order.applicationUserId ?? null,
    paymentDevice: order.paymentDevice ?? null,
  };
  return { state, attempt };
};
