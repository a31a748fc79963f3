import { noPence, pence } from '#kernel/pence.ts';
import { type Attempt, newAttempt, type Payment } from '#modules/payments/index.ts';
import type { Ids } from '#platform/ids.ts';
import { nothingChosen } from '../input/amount-query.ts';
import { tipChoicePence } from '../input/choose-amount.ts';
import type { ViewSources } from '../views/view-sources.ts';

/** Where the payer of the example is: at the first page, before the banks, or done. */
export const previewSteps = ['FIRST', 'BANK', 'PAID'] as const;

export type PreviewStep = (typeof previewSteps)[number];

type Shown = Pick<ViewSources, 'payment' | 'query'>;

/** What the page of a step is drawn from. With tips, the payer has chosen the first that is offered. */
export const previewStep = (
  ids: Ids,
  { payment, query }: Shown,
  step: PreviewStep,
  order: Pick<Attempt, 'institutionId' | 'creditor'>,
): Shown => {
  if (step === 'FIRST') return { payment, query };
  if (step === 'PAID')
    return { payment: paidBy(payment, exampleAttempt(ids, payment, order)), query };
  const fields = { ...nothingChosen, tip: payment.tips ? '0' : 'none' };
  return { payment, query: { ...query, amount: { fields, total: '' } } };
};

const paidBy = (payment: Payment, attempt: Attempt): Payment => ({
  ...payment,
  status: 'PAID',
  paidPence: payment.amountPence,
  attempts: [attempt],
});

const exampleAttempt = (
  ids: Ids,
  payment: Payment,
  order: Pick<Attempt, 'institutionId' | 'creditor'>,
): Attempt => {
  const { amountPence } = payment;
  const started = newAttempt(ids, payment, {
    ...order,
    ...{ amountPence, tipPence: firstTip(payment), settlesTo: 'STORE_ACCOUNT' },
    ...{ applicationUserId: null, paymentDevice: null },
  });
  return {
    ...started,
    ...{ status: 'COMPLETED', step: 'ENDED', isSettled: true, paymentIdempotencyId: 'EXAMPLE' },
  };
};

const firstTip = ({ tips, amountPence }: Payment) => {
  const [first] = tips?.options ?? [];
  if (!tips || first === undefined) return noPence;
  return pence(tipChoicePence(tips.type, first, amountPence));
};
