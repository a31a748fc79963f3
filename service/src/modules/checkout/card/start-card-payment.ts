import { noPence, type Pence } from '#kernel/pence.ts';
import {
  type CardRails,
  ensureProcessorCustomer,
  type FindAccount,
  listCards,
} from '#modules/cards/index.ts';
import {
  type Attempt,
  type CannotStart,
  type CardAttemptOrder,
  decryptRailState,
  endAttempt,
  findCardAttempt,
  isAtProcessor,
  loadPayment,
  type Payment,
  pollCardProcessor,
  recordCardOutcome,
  recordCardPage,
  startCardAttempt,
  whyNotWhileSuspended,
} from '#modules/payments/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardFields, CardRail, SessionOutcome } from '#rails/card-rail.ts';
import { leaveCardPage, orderedPence } from '../bank/start-bank-payment.ts';
import { type CardStartOrder, cardSessionOrder, type PageOrder } from './card-offer.ts';

/**
 * The payer returned from the processor or from their bank, in any browser, paid or not. The return
 * proves nothing: the processor is polled. Null when there is no such payment.
 */
export const finishCardPayment = async (
  tools: Uses<'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher'> & {
    readonly cardRails: FindAccount;
  },
  attemptId: string,
): Promise<Payment | null> => {
  const found = await findCardAttempt(tools, { attemptId });
  if (!found) return null;
  return pollCardProcessor(tools, found.tenant, found.paymentRequestId, attemptId);
};

export type CardPaymentTools = Uses<
  'database' | 'ids' | 'secrets' | 'log' | 'wakeDispatcher' | 'clock' | 'config'
> & { readonly cardRails: CardRails; readonly publicUrl: string };

export type CardStart =
  | {
      readonly kind: 'AT_PROCESSOR';
      readonly url: string;
      readonly payment: Payment;
      readonly attempt: Attempt;
    }
  /** The processor's fields stand in the payer's page. */
  | { readonly kind: 'IN_OUR_PAGE'; readonly payment: Payment; readonly attempt: Attempt }
  /** A saved card: the processor's answer is recorded, or being polled. */
  | { readonly kind: 'CHARGED'; readonly payment: Payment; readonly attempt: Attempt }
  | { readonly kind: 'CARD_FAILED'; readonly payment: Payment; readonly description: string }
  | { readonly kind: 'CANNOT_START'; readonly payment: Payment; readonly why: CannotStart };

const openingMs = 60_000;

/** Commits the intent, requests a page from the processor, then records its answer. */
export const startCardPayment = async (
  tools: CardPaymentTools,
  requested: Payment,
  order: CardStartOrder,
): Promise<CardStart> => {
  const rail = await tools.cardRails.need(requested.tenant);
  const payerId = order.applicationUserId ?? null;
  const why = whyNotWhileSuspended(requested);
  if (why) return { kind: 'CANNOT_START', payment: requested, why };
  const cleared = await leaveCardPage(tools, requested, payerId);
  const customer = await customerFor(tools, rail, cleared, order);
  if (customer.kind === 'FAILED')
    return { kind: 'CARD_FAILED', payment: cleared, description: pageUnreachable.description };
  const started = await startCardAttempt(tools, cleared, (payment) =>
    pageAttempt(rail, orderedPence(payment, order), order),
  );
  const { payment } = started;
  if (started.kind === 'NOT_STARTED') return { kind: 'CANNOT_START', payment, why: started.why };
  const isInOurPage = order.takesFields === true && rail.fieldsOf !== undefined;
  const page = pageOrder(tools, customer.reference, isInOurPage, order.scheme);
  const opened = await rail.openSession(cardSessionOrder(payment, started.attempt, page));
  return recordPage(tools, payment, started.attempt, opened);
};

const pageAttempt = (
  { accountKey }: CardRail,
  amountPence: Pence,
  order: CardStartOrder,
): CardAttemptOrder => ({
  accountKey,
  status: 'AWAITING_AUTHORIZATION',
  step: 'OPENING_PAGE',
  amountPence,
  tipPence: order.tipPence ?? noPence,
  captureType: 'AUTO_CAPTURE',
  initiator: 'CUSTOMER',
  cardId: null,
  facts: null,
  railStateEncrypted: null,
  openForMs: openingMs,
  firstPollMs: null,
  consumerName: null,
  applicationUserId: order.applicationUserId ?? null,
  paymentDevice: order.paymentDevice ?? null,
});

const pageOrder = (
  tools: CardPaymentTools,
  customerReference: string | null,
  isInOurPage: boolean,
  scheme: CardStartOrder['scheme'] = undefined,
): PageOrder => ({
  publicUrl: tools.publicUrl,
  customerReference,
  isInOurPage,
  scheme: isInOurPage ? (scheme ?? null) : null,
  detailsAbovePence: tools.config.cardDetailsAbovePence,
});

type CustomerOfPage =
  | { readonly kind: 'READY'; readonly reference: string | null }
  | { readonly kind: 'FAILED' };

/** Only a card that is saved, or was, needs a customer. */
const customerFor = async (
  tools: CardPaymentTools,
  rail: CardRail,
  { tenant, customerId, savesPaymentMethod }: Payment,
  { showsSavedCards = false }: CardStartOrder,
): Promise<CustomerOfPage> => {
  if (customerId === null) return { kind: 'READY', reference: null };
  const hasCards = async () =>
    (await listCards(tools, tenant, customerId)).some(
      (card) => card.accountKey === rail.accountKey,
    );
  if (!savesPaymentMethod && !(showsSavedCards && (await hasCards())))
    return { kind: 'READY', reference: null };
  const customer = await ensureProcessorCustomer(tools, rail, tenant, customerId);
  if (customer.kind === 'READY') return { kind: 'READY', reference: customer.customerReference };
  // Deleted since the request was made: it can still be paid, and the card is not saved.
  if (customer.kind === 'UNKNOWN_CUSTOMER') return { kind: 'READY', reference: null };
  tools.log.warn({ ...tenant, why: customer.description }, 'no customer at the card processor');
  return { kind: 'FAILED' };
};

const recordPage = async (
  tools: CardPaymentTools,
  payment: Payment,
  attempt: Attempt,
  opened: SessionOutcome,
): Promise<CardStart> => {
  const { attemptId } = attempt;
  if (opened.kind !== 'OPENED' && opened.kind !== 'FIELDS_OPENED') {
    const reason = opened.kind === 'REFUSED' ? opened : pageUnreachable;
    if (opened.kind === 'UNKNOWN')
      tools.log.warn({ attemptId, why: opened.description }, 'no card page');
    // No payer has the address of a page that may have been opened after all.
    const after = await endAttempt(tools, payment, attemptId, 'declinedAtProcessor', reason);
    return { kind: 'CARD_FAILED', payment: after, description: reason.description };
  }
  const isOpen = await recordCardPage(tools, payment, attemptId, opened);
  if (isOpen)
    return opened.kind === 'FIELDS_OPENED'
      ? { kind: 'IN_OUR_PAGE', payment, attempt }
      : { kind: 'AT_PROCESSOR', url: opened.url, payment, attempt };
  const { tenant, paymentRequestId } = payment;
  const after = (await loadPayment(tools.database, tenant, paymentRequestId)) ?? payment;
  return { kind: 'CANNOT_START', payment: after, why: 'UNDER_WAY' };
};

/**
 * The same page again, for a payer who lost it; null when it is closed. It is read, not requested
 * again: what it is requested with may have changed, and a key takes no other request.
 */
export const reopenCardPage = async (
  tools: CardPaymentTools,
  payment: Payment,
  attempt: Attempt,
): Promise<string | null> => {
  const state = decryptRailState(tools.secrets, attempt);
  if (!isAtProcessor(attempt) || !attempt.card || state === null) return null;
  const rail = await tools.cardRails.needAccount(payment.tenant, attempt.card.accountKey);
  const outcome = await rail.readSession(state);
  if (outcome.kind === 'PENDING') return outcome.pageUrl ?? null;
  await recordCardOutcome(tools, payment, attempt.attemptId, outcome);
  return null;
};

/** What the payer's page needs to show its open session; null: the session has a page of its own. */
export const fieldsOfAttempt = async (
  tools: Uses<'secrets'> & { readonly cardRails: FindAccount },
  { tenant }: Payment,
  attempt: Attempt | undefined,
): Promise<CardFields | null> => {
  if (!attempt?.card || !isAtProcessor(attempt)) return null;
  const state = decryptRailState(tools.secrets, attempt);
  const rail = await tools.cardRails.findAccount(tenant, attempt.card.accountKey);
  return (state !== null && rail?.fieldsOf?.(state)) || null;
};

/** For the payer; what exactly went wrong is for the operator's log. */
const pageUnreachable = {
  code: 'CARD_PAGE_UNREACHABLE',
  description:
    'The card page could not be opened. No money has moved; try again or choose another way to pay.',
};
