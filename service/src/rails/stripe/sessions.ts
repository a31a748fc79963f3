import type Stripe from 'stripe';
import type {
  CardFields,
  CardOutcome,
  CardSessionOrder,
  SessionOutcome,
} from '#rails/card-rail.ts';
import {
  type Account,
  callProcessor,
  notOurs,
  unanswered,
  unknown,
} from './account/call-processor.ts';
import { type PaymentState, type SessionState, writeState } from './account/payment-state.ts';
import type { StripeSettings } from './account/settings.ts';
import { classifyPayment, lastDeclineOf } from './outcomes/classify-payment.ts';
import { declineOf } from './outcomes/decline.ts';

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
  const { id, url, client_secret: clientSecret, metadata } = answer.value;
  const opened = order.isInOurPage ? clientSecret : url;
  if (!opened || metadata?.attemptId !== attemptId)
    return unknown('The card processor opened no page for this payment.');
  const state = stateOf(order, id);
  return order.isInOurPage
    ? { kind: 'FIELDS_OPENED', reference: id, state: withFields(state, opened) }
    : { kind: 'OPENED', url: opened, reference: id, state: writeState(state) };
};

const withFields = (state: SessionState, clientSecret: string): string =>
  writeState({ ...state, clientSecret });

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
    ...(order.isInOurPage
      ? { ui_mode: 'embedded_page', return_url: order.returnUrl, ...brandingOf(order) }
      : { success_url: order.returnUrl, cancel_url: order.cancelUrl ?? order.returnUrl }),
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
      // Our page says above its fields what saving is for: once is enough.
      ...(order.isInOurPage && {
        consent_collection: { payment_method_reuse_agreement: { position: 'hidden' } },
      }),
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

const brandingOf = ({
  colours,
}: CardSessionOrder): Pick<Stripe.Checkout.SessionCreateParams, 'branding_settings'> =>
  colours
    ? {
        branding_settings: {
          background_color: colours.ground,
          button_color: colours.button,
          border_style: 'rounded',
        },
      }
    : {};

/** Null: this session has a page of its own. */
export const fieldsOf = (
  { publishableKey, fieldsUrl }: StripeSettings,
  state: PaymentState | null,
): CardFields | null => {
  const clientSecret = state?.kind === 'SESSION' ? state.clientSecret : undefined;
  if (clientSecret === undefined || publishableKey === undefined) return null;
  const sources = fieldsUrl === undefined ? realSources : simulatedSources(fieldsUrl);
  return { scriptUrl: fieldsUrl ?? realFields, publicKey: publishableKey, clientSecret, sources };
};

/** Of the version of the API that the SDK speaks. */
const realFields = 'https://js.stripe.com/endive/stripe.js';

/** As the processor's security guide lists them for Stripe.js with an embedded page. */
const realSources: CardFields['sources'] = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://checkout.stripe.com'],
  frames: [
    'https://js.stripe.com',
    'https://*.js.stripe.com',
    'https://checkout.stripe.com',
    'https://hooks.stripe.com',
  ],
  connections: ['https://api.stripe.com', 'https://checkout.stripe.com'],
  pictures: ['https://*.stripe.com'],
};

const simulatedSources = (fieldsUrl: string): CardFields['sources'] => {
  const { origin } = new URL(fieldsUrl);
  return { scripts: [origin], frames: [origin], connections: [], pictures: [] };
};

/** Where `next_action.redirect_to_url` leads, which may stand in a frame. */
export const challengeFrames = ({ fieldsUrl }: StripeSettings): readonly string[] =>
  fieldsUrl === undefined ? ['https://hooks.stripe.com'] : [new URL(fieldsUrl).origin];

const metadataOf = ({
  attemptId,
  paymentRequestId,
  saveCard,
}: CardSessionOrder): Readonly<Record<string, string>> => ({
  attemptId,
  paymentRequestId,
  ...(saveCard && { recurrenceType: saveCard.recurrenceType }),
});

export const readSession = async (account: Account, state: PaymentState): Promise<CardOutcome> => {
  if (state.kind !== 'SESSION') return unknown('This payment was not made on a page.');
  const call = { operation: 'read session', subject: state.attemptId };
  const answer = await callProcessor(account, call, (stripe) =>
    stripe.checkout.sessions.retrieve(state.sessionId, { expand: sessionParts }),
  );
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  if (answer.kind === 'REFUSED')
    return unknown(`The card processor does not show the page (${answer.code}).`);
  return classifySession(state, answer.value);
};

/** The outcome of a page: its payment decides; without one, whether the payer can still pay. */
const classifySession = (state: SessionState, session: Stripe.Checkout.Session): CardOutcome => {
  if (session.id !== state.sessionId || session.metadata?.attemptId !== state.attemptId)
    return notOurs;
  const intent = typeof session.payment_intent === 'object' ? session.payment_intent : null;
  const outcome = intent ? classifyPayment(state, intent) : null;
  if (outcome && outcome.kind !== 'PENDING') return outcome;
  const isStillPaying = intent?.status === 'processing' || intent?.status === 'requires_action';
  const { paymentId: _unsettled, ...unpaid } = state;
  if (session.status === 'expired' && !isStillPaying)
    return {
      kind: 'CANCELLED',
      state: writeState(state),
      reason: 'SESSION_EXPIRED',
      lastDecline: intent && lastDeclineOf(intent),
    };
  return {
    kind: 'PENDING',
    state: writeState(unpaid),
    lastDecline: intent && lastDeclineOf(intent),
    ...(session.status === 'open' && session.url && { pageUrl: session.url }),
  };
};

const sessionParts = ['payment_intent.latest_charge'];

/** Either the page is closed permanently, or the payment on it counts. */
export const expireSession = async (
  account: Account,
  state: PaymentState,
): Promise<CardOutcome> => {
  if (state.kind !== 'SESSION') return unknown('This payment was not made on a page.');
  const { sessionId, attemptId } = state;
  const call = { operation: 'expire session', subject: attemptId };
  // No fixed key: closing twice is harmless, and a refusal must not be played back for a day.
  const answer = await callProcessor(account, call, (stripe) =>
    stripe.checkout.sessions.expire(
      sessionId,
      { expand: sessionParts },
      { idempotencyKey: `${attemptId}:expire:${account.tools.ids.token(80)}` },
    ),
  );
  if (answer.kind === 'NOTHING') return unanswered(answer.why);
  // Rejected: it was no longer open, because it was paid or closed meanwhile.
  if (answer.kind === 'REFUSED') return readSession(account, state);
  return classifySession(state, answer.value);
};
