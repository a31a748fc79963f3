import { poundsNumber } from '#kernel/pence.ts';
import type { ChargeableCard } from '#modules/cards/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { CardRail } from '#rails/card-rail.ts';
import { captureMethodOf } from '../../core/attempt-card.ts';
import { newAttemptId } from '../../core/new-attempt.ts';
import { sealRailState } from '../../core/open-rail-state.ts';
import type { CheckedCharge } from './check-charge.ts';

export type ChargeDraft = ReturnType<typeof draftCharge>;

/** A charge of a saved card, with everything that is sent to the processor. */
export const draftCharge = (
  { ids, secrets }: Uses<'ids' | 'secrets'>,
  rail: CardRail,
  checked: CheckedCharge,
  card: ChargeableCard,
) => {
  const [paymentRequestId, attemptId] = [ids.uuid(), ids.uuid()];
  const { amountPence, captureType, orderId } = checked;
  const railState = rail.prepareCharge({
    attemptId,
    paymentRequestId,
    amountPence,
    description: `Order ${orderId}`,
    captureMethod: captureMethodOf(captureType),
    customerReference: card.customerReference,
    cardReference: card.cardReference,
    recurrenceType: card.recurrenceType,
    initiator: 'MERCHANT',
  });
  return {
    ...checked,
    paymentRequestId,
    attemptId,
    paymentIdempotencyId: newAttemptId(ids),
    card,
    railState,
    railStateEncrypted: sealRailState(secrets, attemptId, railState),
    expiresInMs: captureType === 'AUTO_CAPTURE' ? null : lifetimeMs(rail, card.brand),
    reply: {
      paymentRequestId,
      status: 'PENDING' as const,
      amount: poundsNumber(amountPence),
      currency: 'GBP',
      orderId,
      customerId: checked.customerId,
      paymentMethodId: card.cardId,
      captureType,
    },
  };
};

const lifetimeMs = (rail: CardRail, brand: string): number =>
  rail.estimateExpiry(brand, 'MERCHANT', new Date(0)).getTime();
