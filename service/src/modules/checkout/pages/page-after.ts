import type { Attempt, Payment } from '#modules/payments/index.ts';
import { chosenBefore } from '../input/amount-query.ts';
import { hasAmountStep } from '../input/choose-amount.ts';
import { pagePath } from '../input/fields.ts';

/** To this payer's own part of a split bill, with the earlier choices if it failed. */
export const pageAfter = (
  payment: Payment,
  attempt: Attempt | undefined,
  locale = '',
  more = {},
): string => {
  const chosen = attempt && hasAmountStep(payment) ? chosenBefore(payment, attempt) : {};
  const own = payment.splitsBill ? { payment: attempt?.paymentIdempotencyId } : {};
  return pagePath(payment.paymentRequestId, locale, { ...chosen, ...own, ...more });
};
