import { type BodyOf, type chargeCard, failures, limits } from '@florin/contract';
import { Failure, type FieldError } from '#kernel/failure.ts';
import { noPence, type Pence, penceFromPounds } from '#kernel/pence.ts';
import type { CaptureType } from '../../core/attempt-card.ts';

export type CheckedCharge = {
  readonly customerId: string;
  readonly cardId: string;
  readonly captureType: CaptureType;
  readonly amountPence: Pence;
  readonly orderId: string;
  readonly notes: string | null;
  readonly storeId: string | null;
};

/** Rules that the contract cannot express: pence, and the two names of captureType. */
export const checkCharge = (body: BodyOf<typeof chargeCard>): CheckedCharge => {
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string) =>
    errors.push({ field, message: `${field} ${message}` });
  const amountPence = penceFromPounds(body.amount);
  if (amountPence === null) refuse('amount', 'must be pounds with at most two decimals');
  else if (amountPence < limits.paymentAmountPenceMin) refuse('amount', 'must be at least 1.00');
  const { captureType, capture } = body;
  if (!captureType && !capture) refuse('captureType', 'is required');
  else if (captureType && capture && captureType !== capture)
    refuse('capture', 'must equal captureType when both are given');
  const [first] = errors;
  if (first) throw new Failure(failures.badRequest, { message: `${first.message}.`, errors });
  return {
    customerId: body.customerId.toLowerCase(),
    cardId: body.paymentMethodId,
    captureType: captureType ?? capture ?? 'AUTO_CAPTURE',
    amountPence: amountPence ?? noPence,
    orderId: body.orderId,
    notes: body.notes ?? null,
    storeId: body.storeId ?? null,
  };
};
