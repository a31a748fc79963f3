import type { IntentRecord, Refund } from '../model.ts';
import { invalid, missing } from '../rules/api-error.ts';
import { intentIdOfPart } from '../rules/ids.ts';
import { metadataParam, refuseUnknownParams } from '../wire/parameters.ts';
import { type Call, type Operation, replyWith } from './call.ts';

export const updateRefund: Operation = async (call) => {
  refuseUnknownParams(call.params, ['metadata']);
  const { intent, refund } = await refundNamed(call);
  const metadata = metadataParam(call.params, 'metadata', refund.metadata);
  const refunds = intent.refunds.map((each) =>
    each.id === refund.id ? { ...each, metadata } : each,
  );
  return replyWith(call, refund.id, [{ ...intent, refunds }]);
};

// Stripe cancels only what waits for the customer, and no refund of a card does.
export const cancelRefund: Operation = async (call) => {
  refuseUnknownParams(call.params, []);
  const { refund } = await refundNamed(call);
  const says = `Refund ${refund.id} cannot be canceled because it has a status of ${refund.status}.`;
  throw invalid(says);
};

const refundNamed = async (
  call: Call,
): Promise<{ readonly intent: IntentRecord; readonly refund: Refund }> => {
  const intent = await call.transaction.find('intent', intentIdOfPart(call.id));
  const refund = intent?.refunds.find(({ id }) => id === call.id);
  if (!intent || !refund) throw missing('refund', call.id);
  return { intent, refund };
};
