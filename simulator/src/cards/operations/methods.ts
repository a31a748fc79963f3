import { fingerprintOfMagicCard, magicCardByToken } from '../magic-card.ts';
import { type MethodRecord, unsaved } from '../model.ts';
import { ApiError, invalid, missing } from '../rules/api-error.ts';
import { declineOf } from '../rules/decline-of.ts';
import {
  integerParam,
  metadataParam,
  paramOneOf,
  refuseUnknownParams,
  requiredParam,
} from '../wire/parameters.ts';
import { type Call, type Operation, replyWith } from './call.ts';
import { livingCustomer } from './customers.ts';

const redisplay = ['always', 'limited', 'unspecified'] as const;

export const updateMethod: Operation = async (call) => {
  refuseUnknownParams(call.params, ['metadata', 'allow_redisplay', 'card', 'billing_details']);
  const method = await call.transaction.get('method', call.id);
  if (method.customerId === null) {
    throw invalid('You must save this PaymentMethod to a customer before you can update it.');
  }
  const updated: MethodRecord = {
    ...method,
    allowRedisplay: paramOneOf(call.params, 'allow_redisplay', redisplay) ?? method.allowRedisplay,
    expiryMonth: integerParam(call.params, 'card.exp_month') ?? method.expiryMonth,
    expiryYear: integerParam(call.params, 'card.exp_year') ?? method.expiryYear,
    metadata: metadataParam(call.params, 'metadata', method.metadata),
  };
  const eventDraft = { type: 'payment_method.updated', id: updated.id };
  return replyWith(call, updated.id, [updated], [eventDraft]);
};

// Attaching a token of the card table creates a payment method.
export const attachMethod: Operation = async (call) => {
  refuseUnknownParams(call.params, ['customer']);
  const customer = await livingCustomer(call, requiredParam(call.params, 'customer'), 'customer');
  const method = await methodNamed(call, call.id);
  if (!method) throw missing('method', call.id);
  if (method.customerId !== null && method.customerId !== customer.id) {
    throw invalid('The payment method is already attached to another customer.');
  }
  const attached: MethodRecord = { ...method, customerId: customer.id };
  const eventDraft = { type: 'payment_method.attached', id: attached.id };
  return replyWith(call, attached.id, [attached], [eventDraft]);
};

export const detachMethod: Operation = async (call) => {
  const method = await call.transaction.get('method', call.id);
  if (method.customerId === null) {
    throw invalid('The payment method you provided is not attached to a customer.');
  }
  const detached: MethodRecord = { ...method, customerId: null };
  const eventDraft = { type: 'payment_method.detached', id: detached.id };
  return replyWith(call, detached.id, [detached], [eventDraft]);
};

// Card numbers are typed on the hosted page and nowhere else.
export const createMethod: Operation = async () => {
  throw new ApiError(402, {
    type: 'card_error',
    code: 'card_declined',
    message: `${declineOf('generic_decline').message} Card numbers are not taken by this API.`,
  });
};

export const methodNamed = async (call: Call, name: string): Promise<MethodRecord | undefined> => {
  const row = magicCardByToken(name);
  if (!row) return call.transaction.find('method', name);
  const { tools, now } = call;
  return newMethod(tools, now, {
    card: row.key,
    fingerprint: fingerprintOfMagicCard(row, tools.secrets.fingerprintSecret),
    expiryMonth: 12,
    expiryYear: new Date(now).getUTCFullYear() + 3,
    holderName: null,
  });
};

type Typed = Pick<
  MethodRecord,
  'card' | 'fingerprint' | 'expiryMonth' | 'expiryYear' | 'holderName'
>;

export const newMethod = (tools: Call['tools'], now: number, typed: Typed): MethodRecord => ({
  ...typed,
  kind: 'method',
  id: `pm_1${tools.random.text(23)}`,
  ...unsaved(now),
  allowRedisplay: 'unspecified',
  isSetUpOffSession: false,
  metadata: {},
});
