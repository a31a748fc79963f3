import type { CheckoutAttempt, CheckoutBank, CheckoutSummary } from '@florin/contract';
import { addPence, noPence, poundsText } from '#kernel/money.ts';
import { type Attempt, latestAttempt, outstandingPence } from '#modules/payments/index.ts';
import { statementReference } from './bank-payment-order.ts';
import type { ViewSources } from './view-sources.ts';

type Sources = Pick<ViewSources, 'payment' | 'payee' | 'institutions'>;

export const summaryView = (
  { payment, payee }: Sources,
  moreTimeToken: string | null,
): CheckoutSummary => {
  const latest = latestAttempt(payment);
  const tip = latest && latest.tipPence > 0n ? latest.tipPence : null;
  return {
    amount: poundsText(payment.amountPence),
    tipAmount: tip === null ? null : poundsText(tip),
    totalAmount: poundsText(addPence(payment.amountPence, tip ?? noPence)),
    currency: 'GBP',
    orderId: payment.orderId,
    notes: payment.notes,
    payeeName: latest?.creditor.name ?? payee.account.name,
    reference: statementReference(payment.orderId),
    expiresAt: payment.expiresBusinessAt.toISOString(),
    now: payment.now.toISOString(),
    tipsEnabled: payment.tipsEnabled,
    splitsBill: payment.splitsBill,
    moreTime: moreTimeToken === null ? null : { formToken: moreTimeToken },
  };
};

export const bankViews = ({ payment, institutions }: Sources): readonly CheckoutBank[] =>
  institutions.map((institution) => {
    const isTooMuch = outstandingPence(payment) > institution.limitPence;
    const unavailableReason = unavailable(institution.isEnabled, isTooMuch);
    return {
      id: institution.id,
      name: institution.name,
      fullName: institution.fullName,
      kind: institution.kind,
      colour: institution.colour,
      isPopular: institution.isPopular,
      isAvailable: unavailableReason === null,
      unavailableReason,
    };
  });

const unavailable = (isEnabled: boolean, isTooMuch: boolean): CheckoutBank['unavailableReason'] => {
  if (!isEnabled) return 'DOWN';
  return isTooMuch ? 'AMOUNT_TOO_HIGH' : null;
};

export const attemptView = ({ institutions }: Sources, attempt: Attempt): CheckoutAttempt => ({
  bankName:
    institutions.find(({ id }) => id === attempt.institutionId)?.name ?? attempt.institutionId,
  institutionId: attempt.institutionId,
  startedAt: attempt.createdAt.toISOString(),
  paymentIdempotencyId: attempt.paymentIdempotencyId,
});
