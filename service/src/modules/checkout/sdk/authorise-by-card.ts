import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Payment } from '#modules/payments/index.ts';
import { badField } from '#platform/http/bad-field.ts';
import { takesCards } from '../card/card-offer.ts';
import type { CardStartOrder } from '../card/card-session-order.ts';
import { type CardPaymentTools, startCardPayment } from '../card/start-card-payment.ts';
import { explainToClient } from './explain-to-client.ts';

/** A page or app of the merchant sends its payer to the processor's page. */
export const authoriseByCard = async (
  tools: CardPaymentTools,
  { tenant, payment }: { readonly tenant: Tenant; readonly payment: Payment },
  order: CardStartOrder,
) => {
  if (!payment.cardsEnabled)
    throw new Failure(failures.notEnabled, {
      message: 'Card payments are not enabled on this account.',
    });
  if (!takesCards(payment)) {
    const message = 'This payment request does not offer CARD.';
    throw badField('transactionType', message);
  }
  const started = await startCardPayment(tools, tenant, payment.paymentRequestId, order);
  if (started.kind === 'CANNOT_START') throw explainToClient(started.why, started.payment);
  if (started.kind !== 'AT_PROCESSOR')
    throw new Failure(failures.unavailable, {
      message: started.kind === 'CARD_FAILED' ? started.description : 'There is no card page.',
      retryAfterSeconds: 5,
    });
  return {
    authorisationUrl: started.url,
    attempt: started.attempt,
    cardCheckoutId: started.attempt.paymentIdempotencyId,
  };
};
