import { magicCardByKey } from '../magic-card.ts';
import type { Card, IntentRecord } from '../model.ts';
import { invalid, wrongState } from '../rules/api-error.ts';
import { intentIdOfPart } from '../rules/ids.ts';
import {
  integerParam,
  metadataParam,
  type Params,
  paramAt,
  refuseUnknownParams,
  requiredParam,
  textParam,
} from '../wire/parameters.ts';
import { type Call, type Operation, renderById } from './call.ts';
import { captureIntent, cardWanted, chargeable, confirm, saveWith } from './intents.ts';
import { readPart } from './parts.ts';

const texts = {
  description: 'description',
  receipt_email: 'receiptEmail',
  statement_descriptor_suffix: 'statementDescriptorSuffix',
} as const;
const paymentParams = ['amount', 'payment_method'];

const waits = (status: IntentRecord['status']): boolean =>
  status === 'requires_payment_method' || status === 'requires_confirmation';

export const updateIntent: Operation = async (call) => {
  const { params } = call;
  refuseUnknownParams(params, [...Object.keys(texts), ...paymentParams, 'metadata']);
  const intent = await call.transaction.get('intent', call.id);
  if (paymentParams.some((name) => paramAt(params, name) !== undefined))
    await requireWaiting(call, intent, 'updated');
  const card = await cardWanted(call, intent.customerId);
  const updated: IntentRecord = {
    ...intent,
    ...textsGiven(params),
    ...(paramAt(params, 'amount') !== undefined && {
      amount: chargeable(integerParam(params, 'amount'), requiredParam(params, 'amount')),
    }),
    ...(card && { methodId: card.method.id, status: 'requires_confirmation' as const }),
    metadata: metadataParam(params, 'metadata', intent.metadata),
  };
  return saveWith(call, updated, card);
};

const textsGiven = (params: Params): Partial<IntentRecord> =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, member]) =>
      paramAt(params, name) === undefined ? [] : [[member, textParam(params, name)]],
    ),
  );

const confirmParams = ['payment_method', 'return_url', 'off_session', 'payment_method_types'];

export const confirmIntent: Operation = async (call) => {
  refuseUnknownParams(call.params, confirmParams);
  const intent = await call.transaction.get('intent', call.id);
  await requireWaiting(call, intent, 'confirmed');
  const given = await cardWanted(call, intent.customerId);
  return confirm(call, intent, given ?? (await cardOf(call, intent)));
};

const cardOf = async (call: Call, { methodId }: IntentRecord): Promise<Card | undefined> => {
  if (methodId === null) return undefined;
  const method = await call.transaction.get('method', methodId);
  return { row: magicCardByKey(method.card), method };
};

const requireWaiting = async (call: Call, intent: IntentRecord, what: string): Promise<void> => {
  if (waits(intent.status) && intent.sessionId === null) return;
  const message = `This PaymentIntent could not be ${what} because it has a status of ${intent.status}.`;
  throw wrongState(message, await renderById(call, intent.id));
};

// By the name of its charge.
export const captureCharge: Operation = async (call) => {
  const { amount, ...stray } = call.params;
  refuseUnknownParams(stray, []);
  const params: Params = amount === undefined ? {} : { amount_to_capture: amount };
  const { body } = await readPart(call);
  if ((body as { readonly captured: boolean }).captured)
    throw invalid(
      `Charge ${call.id} has already been captured.`,
      undefined,
      'charge_already_captured',
    );
  const done = await captureIntent({ ...call, id: intentIdOfPart(call.id), params });
  return { ...done, body: await renderById(call, call.id) };
};
