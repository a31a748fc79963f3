import type { Pence } from '#kernel/pence.ts';
import {
  type Attempt,
  captureMethodOf,
  type Payment,
  totalPence,
} from '#modules/payments/index.ts';
import type { CardSessionOrder } from '#rails/card-rail.ts';
import type { StartOrder } from '../bank/bank-payment-order.ts';

/** The parameters of a payer's start by card. */
export type CardStartOrder = Pick<
  StartOrder,
  'tipPence' | 'share' | 'expectedPence' | 'applicationUserId' | 'paymentDevice'
>;

export type PageOrder = {
  readonly publicUrl: string;
  /** The processor's customer, when the card is to be saved. */
  readonly customerReference: string | null;
  /** Above this amount the page requests the payer's address and telephone; null: never. */
  readonly detailsAbovePence: Pence | null;
};

/** Equal for the same attempt at any time, so that the processor answers with the same page. */
export const cardSessionOrder = (
  payment: Payment,
  attempt: Attempt,
  { publicUrl, customerReference, detailsAbovePence }: PageOrder,
): CardSessionOrder => ({
  attemptId: attempt.attemptId,
  paymentRequestId: payment.paymentRequestId,
  amountPence: totalPence(attempt),
  description: cardDescription(payment),
  captureMethod: captureMethodOf('AUTO_CAPTURE'),
  returnUrl: cardReturnUrl(publicUrl, attempt.attemptId),
  cancelUrl: `${cardReturnUrl(publicUrl, attempt.attemptId)}&left=1`,
  requiresDetails: detailsAbovePence !== null && totalPence(attempt) > detailsAbovePence,
  ...(customerReference && {
    customerReference,
    saveCard: { recurrenceType: 'unscheduled' },
  }),
});

/** Where the browser returns to from the processor's page or a bank's challenge. */
export const cardReturnUrl = (publicUrl: string, attemptId: string): string =>
  `${publicUrl}/card-return?attempt=${attemptId}`;

export const cardDescription = ({ merchant, orderId }: Payment): string =>
  `${merchant.name}, order ${orderId}`;
