import type Stripe from 'stripe';
import type { CardSessionOrder, SessionOutcome } from '#rails/card-rail.ts';
import type { Account } from '../account/account.ts';
import { callProcessor } from '../account/call-processor.ts';
import type { SessionState } from '../account/rail-state.ts';
import { writeState } from '../account/rail-state.ts';
import { unanswered, unknown } from '../account/unknown.ts';
import { declineOf } from '../outcomes/decline.ts';

/** The hosted page where a card number is typed: it never reaches us. */
export const openSession = async (
  account: Account,
  order: CardSessionOrder,
): Promise<SessionOutcome> => {
  const { attemptId } = order;
  const answer = await callProcessor(
    account,
    { operation: 'open session', subject: attemptId },
    (stripe) =>
      stripe.checkout.sessions.create(parametersOf(order), {
        idempotencyKey: `${attemptId}:session`,
      }),
  );
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'REFUSED') {
    const { code, description } = declineOf(answer, 'PROCESSOR_REFUSED');
    return { kind: 'REFUSED', code, description };
  }
  const { id, url, metadata } = answer.value;
  if (!url || metadata?.attemptId !== attemptId)
    return unknown('The card processor opened no page for this payment.');
  return { kind: 'OPENED', url, reference: id, state: writeState(stateOf(order, id)) };
};

const stateOf = (order: CardSessionOrder, sessionId: string): SessionState => ({
  v: 1,
  kind: 'SESSION',
  attemptId: order.attemptId,
  amount: Number(order.amountPence),
  initiator: 'CUSTOMER',
  sessionId,
});

const parametersOf = (order: CardSessionOrder): Stripe.Checkout.SessionCreateParams => {
  const metadata = metadataOf(order);
  return {
    mode: 'payment',
    allowed_payment_method_types: ['card'],
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'gbp',
          unit_amount: Number(order.amountPence),
          product_data: { name: order.description },
        },
      },
    ],
    client_reference_id: order.attemptId,
    success_url: order.returnUrl,
    cancel_url: order.cancelUrl ?? order.returnUrl,
    metadata,
    payment_intent_data: {
      metadata,
      description: order.description,
      capture_method: order.captureMethod === 'MANUAL' ? 'manual' : 'automatic_async',
      ...(order.saveCard && { setup_future_usage: 'off_session' }),
    },
    ...(order.requiresDetails && {
      billing_address_collection: 'required',
      phone_number_collection: { enabled: true },
    }),
    ...(order.customerReference && { customer: order.customerReference }),
    ...(order.saveCard && {
      // The first of a series must be authenticated by the cardholder's bank: no exemption is
      // requested.
      payment_method_options: { card: { request_three_d_secure: 'challenge' } },
    }),
    ...(order.showsSavedCards && {
      saved_payment_method_options: {
        allow_redisplay_filters: ['always', 'limited', 'unspecified'],
      },
    }),
  };
};

const metadataOf = ({
  attemptId,
  paymentRequestId,
  saveCard,
}: CardSessionOrder): Readonly<Record<string, string>> => ({
  attemptId,
  paymentRequestId,
  ...(saveCard && { recurrenceType: saveCard.recurrenceType }),
});
