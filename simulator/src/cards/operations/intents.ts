import { magicCardByKey } from '../magic-card.ts';
import {
  type Card,
  type EventDraft,
  type IntentParameters,
  type IntentRecord,
  unsaved,
} from '../model.ts';
import { ApiError, invalid, missing, wrongState } from '../rules/api-error.ts';
import { currencies } from '../rules/currencies.ts';
import { cancel, capture, refund } from '../rules/finish-payment.ts';
import { intentId, intentIdOfPart } from '../rules/ids.ts';
import { type Paid, startPayment } from '../rules/start-payment.ts';
import {
  booleanParam,
  integerParam,
  metadataParam,
  paramAt,
  paramOneOf,
  refuseUnknownParams,
  requiredParam,
  textParam,
} from '../wire/parameters.ts';
import { renderError } from '../wire/render-intent.ts';
import { type Call, type Operation, type Reply, renderById, replyWith } from './call.ts';
import { livingCustomer } from './customers.ts';
import { methodNamed } from './methods.ts';
import { readIntentParameters } from './read-intent-parameters.ts';

const confirmParams = [
  'payment_method',
  'return_url',
  'off_session',
  'capture_method',
  'setup_future_usage',
  'payment_method_options',
  'payment_method_types',
  'allowed_payment_method_types',
  'receipt_email',
  'error_on_requires_action',
  'use_stripe_sdk',
];
const updateParams = ['amount', 'currency', 'customer', 'description', 'metadata'];
const createParams = [
  ...confirmParams,
  ...updateParams,
  'confirm',
  'automatic_payment_methods',
  'confirmation_method',
  'statement_descriptor',
  'statement_descriptor_suffix',
];

export const createIntent: Operation = async (call) => {
  const { params, tools, now } = call;
  refuseUnknownParams(params, createParams);
  const named = textParam(params, 'customer');
  const customer = named === null ? null : await livingCustomer(call, named, 'customer');
  const amount = chargeable(integerParam(params, 'amount'), requiredParam(params, 'amount'));
  const isConfirmed = booleanParam(params, 'confirm');
  if (paramAt(params, 'off_session') !== undefined && !isConfirmed) {
    throw invalid('You can only use off_session when confirm is true.', 'off_session');
  }
  const parameters = readIntentParameters(params);
  const card = await cardWanted(call, customer?.id ?? null);
  const intent: IntentRecord = {
    ...newIntent(tools, now, parameters),
    ...{ amount, currency: currencyOf(params), customerId: customer?.id ?? null },
    status: card ? 'requires_confirmation' : 'requires_payment_method',
    methodId: card?.method.id ?? null,
  };
  if (isConfirmed) return confirm(call, intent, card);
  return saveWith(call, intent, card, [{ type: 'payment_intent.created', id: intent.id }]);
};

// A card of the table that is named for the first time is saved with it.
export const saveWith = (
  call: Call,
  intent: IntentRecord,
  card: Card | undefined,
  eventDrafts: readonly EventDraft[] = [],
): Promise<Reply> => {
  const saved = card?.method.version === 0 ? [card.method, intent] : [intent];
  return replyWith(call, intent.id, saved, eventDrafts);
};

export const newIntent = (
  tools: Call['tools'],
  now: number,
  parameters: IntentParameters,
): IntentRecord => {
  const id = intentId(tools.random);
  return {
    ...parameters,
    kind: 'intent',
    id,
    ...unsaved(now),
    amount: 0,
    currency: 'gbp',
    status: 'requires_payment_method',
    methodId: null,
    sessionId: null,
    clientSecret: `${id}_secret_${tools.random.text(25)}`,
    attempts: [],
    refunds: [],
    challenge: null,
    returnUrl: null,
    lastAuthentication: null,
    lastError: null,
    canceledAt: null,
    cancellationReason: null,
  };
};

export const currencyOf = (params: Call['params'], path = 'currency'): string => {
  const currency = requiredParam(params, path).toLowerCase();
  if (currencies.has(currency)) return currency;
  const supported = [...currencies].join(', ');
  const message = `Invalid currency: ${currency}. These currencies are supported: ${supported}`;
  throw invalid(message, 'currency');
};

export const chargeable = (amount: number | undefined, typed: string): number => {
  if (amount === undefined) throw invalid(`Invalid integer: ${typed}`, 'amount');
  if (amount < 30) {
    const message = 'The amount is below the smallest that can be charged.';
    throw invalid(message, 'amount', 'amount_too_small');
  }
  if (amount <= 99_999_999) return amount;
  throw invalid('Amount must be no more than 99999999.', 'amount', 'amount_too_large');
};

export const cardWanted = async (
  call: Call,
  customerId: string | null,
): Promise<Card | undefined> => {
  const name = textParam(call.params, 'payment_method');
  if (name === null) return undefined;
  const method = await methodNamed(call, name);
  if (!method) throw missing('method', name, 'payment_method');
  if (method.customerId !== null && method.customerId !== customerId) {
    throw invalid(
      `The customer does not have a payment method with the ID ${method.id}. ` +
        'The payment method must be attached to the customer.',
      'payment_method',
    );
  }
  return { row: magicCardByKey(method.card), method };
};

export const confirm = async (
  call: Call,
  intent: IntentRecord,
  card: Card | undefined,
): Promise<Reply> => {
  if (!card) {
    throw invalid(
      'You cannot confirm this PaymentIntent because it is missing a payment method.',
      'payment_method',
      'payment_intent_unexpected_state',
    );
  }
  const { tools, now, params } = call;
  const isMerchantInitiated = !['', 'false', undefined].includes(
    paramAt(params, 'off_session') as string | undefined,
  );
  if (isMerchantInitiated && intent.setupFutureUsage !== null) {
    throw invalid('setup_future_usage cannot be used with off_session.', 'setup_future_usage');
  }
  if (isMerchantInitiated && card.method.customerId === null && card.method.version > 0) {
    throw invalid('A detached payment method cannot be charged.', 'payment_method');
  }
  const clock = now + intent.clockOffsetMs;
  const returnUrl = textParam(params, 'return_url');
  const start = { now: clock, isMerchantInitiated, returnUrl, random: tools.random };
  return replyPaid(call, startPayment(intent, card, start), card);
};

// A declined payment is an answer of 402 that has happened all the same.
const replyPaid = async (call: Call, paid: Paid, card: Card): Promise<Reply> => {
  const { intent, eventDrafts } = paid;
  const method = paid.method ?? (card.method.version === 0 ? card.method : undefined);
  const saved = method ? [method, intent] : [intent];
  const reply = await replyWith(call, intent.id, saved, eventDrafts);
  if (intent.lastError === null) return reply;
  const error = renderError(intent, intent.lastError);
  const status = error.type === 'card_error' ? 402 : 400;
  const payment_method = await call.transaction.render(card.method.id);
  const facts = { ...error, payment_intent: reply.body, ...(payment_method && { payment_method }) };
  return { ...reply, status, body: { error: facts } };
};

const refuseInSession = (intent: IntentRecord): void => {
  if (intent.sessionId === null || !/^requires_(?!capture)/.test(intent.status)) return;
  throw new ApiError(400, {
    type: 'invalid_request_error',
    message:
      'You cannot perform this action on PaymentIntents created by Checkout. ' +
      'Expire the Checkout Session instead.',
  });
};

const cancellationReasons = [
  'duplicate',
  'fraudulent',
  'requested_by_customer',
  'abandoned',
] as const;

const readReason = (call: Call): string | null =>
  paramOneOf(call.params, 'cancellation_reason', cancellationReasons);

export const captureIntent: Operation = async (call) => {
  refuseUnknownParams(call.params, ['amount_to_capture', 'final_capture', 'metadata']);
  const intent = await call.transaction.get('intent', call.id);
  if (intent.status !== 'requires_capture') {
    const message =
      'This PaymentIntent could not be captured because it has a status of ' +
      `${intent.status}. Only a PaymentIntent with one of the following statuses may be ` +
      'captured: requires_capture.';
    throw wrongState(message, await renderById(call, intent.id));
  }
  const amount = integerParam(call.params, 'amount_to_capture');
  if (amount === 0) throw invalid('Invalid positive integer', 'amount_to_capture');
  const step = capture(intent, amount, clockOf(call, intent));
  return replyWith(call, intent.id, [step.intent], step.eventDrafts);
};

export const cancelIntent: Operation = async (call) => {
  refuseUnknownParams(call.params, ['cancellation_reason']);
  const reason = readReason(call);
  const intent = await call.transaction.get('intent', call.id);
  refuseInSession(intent);
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    const message = `You cannot cancel this PaymentIntent because it has a status of ${intent.status}.`;
    throw wrongState(message, await renderById(call, intent.id));
  }
  const step = cancel(intent, reason, clockOf(call, intent));
  return replyWith(call, intent.id, [step.intent], step.eventDrafts);
};

const refundReasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

export const createRefund: Operation = async (call) => {
  const { params } = call;
  refuseUnknownParams(params, ['payment_intent', 'charge', 'amount', 'reason', 'metadata']);
  const charge = textParam(params, 'charge');
  const id = charge ? intentIdOfPart(charge) : requiredParam(params, 'payment_intent');
  const intent = await call.transaction.find('intent', id);
  if (!intent) {
    throw charge ? missing('charge', charge, 'charge') : missing('intent', id, 'payment_intent');
  }
  const amount = integerParam(params, 'amount');
  if (amount === 0) throw invalid('Invalid positive integer', 'amount');
  const reason = paramOneOf(params, 'reason', refundReasons);
  const request = { amount, reason, metadata: metadataParam(params) };
  const step = refund(intent, request, clockOf(call, intent));
  return replyWith(call, step.refund.id, [step.intent], step.eventDrafts);
};

const clockOf = (call: Call, intent: IntentRecord): number => call.now + intent.clockOffsetMs;
