import type { IntentRecord } from '../model.ts';
import { invalid, missing, wrongState } from '../rules/api-error.ts';
import { cancel } from '../rules/cancel.ts';
import { capture } from '../rules/capture.ts';
import { intentIdOfPart } from '../rules/ids.ts';
import { refund } from '../rules/refund.ts';
import {
  integerParam,
  metadataParam,
  paramOneOf,
  refuseUnknownParams,
  requiredParam,
  textParam,
} from '../wire/param.ts';
import { type Call, type Operation, renderById, replyWith } from './call.ts';
import { readReason, refuseInSession } from './intents.ts';

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
