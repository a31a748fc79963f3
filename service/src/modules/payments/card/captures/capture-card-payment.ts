import type { captureCardPayment as described, ReplyOf } from '@florin/contract';
import type { Caller, IdempotencyKey } from '#platform/http/route.ts';
import { type ChangeTools, changeAuthorised } from './change-authorised.ts';

/** The whole amount: there is no partial capture. */
export const captureCardPayment = async (
  tools: ChangeTools,
  caller: Caller,
  paymentRequestId: string,
  key: IdempotencyKey | null,
): Promise<ReplyOf<typeof described>> => {
  await changeAuthorised(tools, caller, paymentRequestId, key, {
    operation: 'capture',
    step: 'CAPTURING',
    reaches: 'COMPLETED',
    poll: (rail, state) => rail.capture(state),
    resolve: (rail, state) => rail.resolveCapture(state),
  });
  return { success: true, message: 'Payment captured successfully' };
};
