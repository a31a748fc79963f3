import type { BodyOf, cancelCardPayment as described, ReplyOf } from '@florin/contract';
import type { Failure } from '#kernel/failure.ts';
import { badField } from '#platform/http/bad-field.ts';
import type { Caller, IdempotencyKey } from '#platform/http/route.ts';
import { type ChangeTools, changeAuthorised } from './change-authorised.ts';

export const cancelCardPayment = async (
  tools: ChangeTools,
  caller: Caller,
  paymentRequestId: string,
  body: BodyOf<typeof described> | undefined | null,
  key: IdempotencyKey | null,
): Promise<ReplyOf<typeof described>> => {
  const description = body?.cancelledReasonDescription?.trim() || null;
  if (body?.cancelledReasonCode === 'Other' && !description) throw needsDescription();
  const code = body?.cancelledReasonCode ?? 'Other';
  await changeAuthorised(tools, caller, paymentRequestId, key, {
    operation: 'cancel',
    step: 'CANCELLING',
    reaches: 'CANCELLED',
    reason: { cancelledReasonCode: code, cancelledReasonDescription: description },
    poll: (rail, state) => rail.cancel(state, code),
    resolve: (rail, state) => rail.resolveCancel(state, code),
  });
  return { success: true, message: 'Payment cancelled successfully' };
};

const needsDescription = (): Failure => {
  const message = 'cancelledReasonDescription is required when cancelledReasonCode is Other';
  return badField('cancelledReasonDescription', message, `${message}.`);
};
