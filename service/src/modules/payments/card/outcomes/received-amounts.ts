import { type Pence, pence } from '#kernel/pence.ts';
import type { OperatorCase } from '#modules/operator-cases/index.ts';
import { type Attempt, totalPence } from '../../core/payment.ts';

type Amounts = Pick<Attempt, 'amountPence' | 'tipPence'>;

/** What the processor received, first towards the amount and then as tip (CARD-10). */
export const receivedAmounts = (attempt: Amounts, receivedPence: Pence): Amounts => {
  const amountPence = pence(
    receivedPence < attempt.amountPence ? receivedPence : attempt.amountPence,
  );
  return { amountPence, tipPence: pence(receivedPence - amountPence) };
};

/** Less or more than requested was taken in the processor's own dashboard. */
export const amountDiffers = (attempt: Attempt, receivedPence: Pence): OperatorCase | null =>
  receivedPence === totalPence(attempt)
    ? null
    : {
        kind: 'AMOUNT_DIFFERS',
        subject: attempt.attemptId,
        description: 'The card processor received another amount than the payment asked for.',
        evidence: {
          requestedPence: Number(totalPence(attempt)),
          receivedPence: Number(receivedPence),
        },
      };
