import { magicCardByKey } from '../magic-card.ts';
import { type Card, type SetupRecord, unsaved } from '../model.ts';
import { ApiError, invalid } from '../rules/api-error.ts';
import type { ChallengeDecision } from '../rules/authenticate.ts';
import { cancelSetup, endSetupChallenge, type SetUp, startSetup } from '../rules/set-up.ts';
import { runTransaction } from '../transaction/transaction.ts';
import {
  booleanParam,
  metadataParam,
  paramAt,
  paramOneOf,
  refuseUnknownParams,
  textParam,
} from '../wire/parameters.ts';
import { renderSetupError } from '../wire/render-setup.ts';
import { type Call, type Operation, type Reply, renderById, replyWith } from './call.ts';
import { livingCustomer } from './customers.ts';
import { cardWanted } from './intents.ts';
import { listOf } from './lists.ts';

const updateParams = ['customer', 'payment_method', 'description', 'metadata'];
const typeParams = ['payment_method_types', 'payment_method_options', 'automatic_payment_methods'];
const confirmParams = ['payment_method', 'return_url', 'payment_method_options'];
const createParams = [...updateParams, ...typeParams, 'usage', 'confirm', 'return_url'];

const requests = ['automatic', 'any', 'challenge'] as const;

export const createSetup: Operation = async (call) => {
  const { params, tools, now } = call;
  refuseUnknownParams(params, createParams);
  const customerId = await customerNamed(call);
  const card = await cardWanted(call, customerId);
  const id = `seti_1${tools.random.text(23)}`;
  const option = 'payment_method_options.card.request_three_d_secure';
  const setup: SetupRecord = {
    kind: 'setup',
    id,
    ...unsaved(now),
    customerId,
    status: card ? 'requires_confirmation' : 'requires_payment_method',
    methodId: card?.method.id ?? null,
    usage: paramOneOf(params, 'usage', ['off_session', 'on_session']) ?? 'off_session',
    description: textParam(params, 'description'),
    metadata: metadataParam(params),
    requestThreeDs: paramOneOf(params, option, requests) ?? 'automatic',
    clientSecret: `${id}_secret_${tools.random.text(25)}`,
    challenge: null,
    returnUrl: null,
    lastError: null,
    cancellationReason: null,
  };
  if (booleanParam(params, 'confirm')) return confirm(call, setup, card);
  return replyWith(call, id, savedWith(setup, card), [{ type: 'setup_intent.created', id }]);
};

export const updateSetup: Operation = async (call) => {
  const { params } = call;
  refuseUnknownParams(params, updateParams);
  const setup = await openSetup(call);
  const customerId = (await customerNamed(call)) ?? setup.customerId;
  const card = await cardWanted(call, customerId);
  const updated: SetupRecord = {
    ...setup,
    customerId,
    ...(card && { methodId: card.method.id, status: 'requires_confirmation' }),
    ...(paramAt(params, 'description') !== undefined && {
      description: textParam(params, 'description'),
    }),
    metadata: metadataParam(params, 'metadata', setup.metadata),
  };
  return replyWith(call, setup.id, savedWith(updated, card));
};

export const confirmSetup: Operation = async (call) => {
  refuseUnknownParams(call.params, confirmParams);
  const setup = await openSetup(call);
  const given = await cardWanted(call, setup.customerId);
  return confirm(call, setup, given ?? (await cardOf(call, setup)));
};

export const cancelSetupNow: Operation = async (call) => {
  refuseUnknownParams(call.params, ['cancellation_reason']);
  const reasons = ['abandoned', 'requested_by_customer', 'duplicate'] as const;
  const reason = paramOneOf(call.params, 'cancellation_reason', reasons);
  const setup = await openSetup(call);
  const step = cancelSetup(setup, reason);
  return replyWith(call, setup.id, [step.setup], step.eventDrafts);
};

export const listSetups: Operation = listOf('setup', '/v1/setup_intents');

// Undefined when there is none, or it has no such challenge.
export const answerSetupChallenge = (
  tools: Call['tools'],
  challenge: { readonly setupId: string; readonly id: string },
  decision: ChallengeDecision,
): Promise<SetupRecord | undefined> =>
  runTransaction(tools, async (transaction) => {
    const setup = await transaction.find('setup', challenge.setupId);
    if (!setup?.challenge || setup.challenge.id !== challenge.id)
      return { saved: [], eventDrafts: [], result: setup };
    const method = await transaction.get('method', setup.challenge.methodId);
    const card: Card = { row: magicCardByKey(method.card), method };
    const around = { now: tools.clock.now(), random: tools.random };
    const step = endSetupChallenge(setup, card, decision, around);
    const saved = step.method ? [step.setup, step.method] : [step.setup];
    return { saved, eventDrafts: step.eventDrafts, result: step.setup };
  });

const confirm = async (call: Call, setup: SetupRecord, card: Card | undefined): Promise<Reply> => {
  if (!card)
    throw invalid(
      'You cannot confirm this SetupIntent because it is missing a payment method.',
      'payment_method',
      'setup_intent_unexpected_state',
    );
  const { tools, now, params } = call;
  const around = { now, random: tools.random, returnUrl: textParam(params, 'return_url') };
  return replySetUp(call, startSetup(setup, card, around), card);
};

// A card that is declined is an answer of 402 that has happened all the same.
const replySetUp = async (call: Call, step: SetUp, card: Card): Promise<Reply> => {
  const { setup, method, eventDrafts } = step;
  const saved = savedWith(setup, method ? { ...card, method } : card);
  const kept = method && method.version > 0 ? [...saved, method] : saved;
  const reply = await replyWith(call, setup.id, kept, eventDrafts);
  if (setup.lastError === null) return reply;
  const error = renderSetupError(setup, setup.lastError);
  const status = error.type === 'card_error' ? 402 : 400;
  return { ...reply, status, body: { error: { ...error, setup_intent: reply.body } } };
};

// A token of the card table is a new payment method, which is saved with its setup.
const savedWith = (setup: SetupRecord, card: Card | undefined) =>
  card?.method.version === 0 ? [card.method, setup] : [setup];

const customerNamed = async (call: Call): Promise<string | null> => {
  const named = textParam(call.params, 'customer');
  return named === null ? null : (await livingCustomer(call, named, 'customer')).id;
};

const cardOf = async (call: Call, { methodId }: SetupRecord): Promise<Card | undefined> => {
  const method = methodId === null ? undefined : await call.transaction.find('method', methodId);
  return method && { row: magicCardByKey(method.card), method };
};

const openSetup = async (call: Call): Promise<SetupRecord> => {
  const setup = await call.transaction.get('setup', call.id);
  if (setup.status !== 'succeeded' && setup.status !== 'canceled') return setup;
  throw new ApiError(400, {
    type: 'invalid_request_error',
    code: 'setup_intent_unexpected_state',
    message: `This SetupIntent has a status of ${setup.status} and cannot be changed.`,
    setup_intent: await renderById(call, setup.id),
  });
};
