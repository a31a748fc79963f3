import type { Tenant } from '#kernel/environment.ts';
import { type Payment, waitsForPayer } from '#modules/payments/index.ts';
import { takesCards } from '../card/card-offer.ts';
import type { CardStartOrder } from '../card/card-session-order.ts';
import { payBySavedCard, reopenStepUp } from '../card/pay-by-saved-card.ts';
import {
  type CardPaymentTools,
  reopenCardPage,
  startCardPayment,
} from '../card/start-card-payment.ts';
import { pageAfter } from './page-after.ts';

export type CardStartFields = {
  /** A saved card; empty: the processor's page. */
  readonly cardId: string;
  /** The payment whose page the payer left; empty: a new one. */
  readonly resume: string;
  readonly locale: string;
};

/** Where the payer's browser goes next: the processor, the card's bank, or back to the page. */
export const startCardFromPage = async (
  tools: CardPaymentTools,
  found: { readonly tenant: Tenant; readonly payment: Payment },
  { cardId, resume, locale }: CardStartFields,
  order: CardStartOrder,
): Promise<string> => {
  const { tenant, payment } = found;
  // An open page at the processor may be finished, whatever was switched off meanwhile.
  if (resume !== '') return resumed(tools, payment, resume, locale);
  if (!takesCards(payment)) return pageAfter(payment, undefined, locale);
  const { paymentRequestId } = payment;
  const started =
    cardId === ''
      ? await startCardPayment(tools, tenant, paymentRequestId, order)
      : await payBySavedCard(tools, tenant, paymentRequestId, cardId, order);
  if (started.kind === 'AT_PROCESSOR') return started.url;
  const attempt = started.kind === 'CHARGED' ? started.attempt : started.payment.attempts.at(-1);
  return pageAfter(started.payment, attempt, locale);
};

const resumed = async (
  tools: CardPaymentTools,
  payment: Payment,
  paymentIdempotencyId: string,
  locale: string,
): Promise<string> => {
  const attempt = payment.attempts.find(
    (other) => other.paymentIdempotencyId === paymentIdempotencyId,
  );
  if (!attempt || !waitsForPayer(attempt)) return pageAfter(payment, attempt, locale);
  const url =
    attempt.step === 'STEP_UP'
      ? await reopenStepUp(tools, payment, attempt)
      : await reopenCardPage(tools, payment, attempt);
  return url ?? pageAfter(payment, attempt, locale);
};
