import type { CheckoutView } from '@florin/contract';
import { type Html, html } from '../../html/html.ts';
import { formatDateTime, formatMoney } from '../../language/format.ts';
import { amountFacts, type Fact, factList, payeeFacts } from '../amounts/summary-card.ts';
import { paymentMethodName } from '../cards/card-name.ts';
import type { Page } from '../page.ts';

type View = Extract<CheckoutView, { page: 'RESULT' }>;

export const receipt = (page: Page, view: View): Html => {
  const { words, summary } = page;
  return html`
    <section class="receipt" aria-labelledby="receipt">
      <h2 id="receipt">${words.say('receipt')}</h2>
      <p class="receipt-amount">
        <span>${words.say('amountPaid')}</span>
        <strong>${formatMoney(words.locale, summary.totalAmount)}</strong>
      </p>
      ${factList(receiptFacts(page, view))}
    </section>
  `;
};

export const paymentIdFact = ({ words }: Page, { attempt }: View): Fact => ({
  label: words.say('paymentId'),
  value: html`<code>${attempt.paymentIdempotencyId}</code>`,
});

/** The lines of page, paper and mail about a payment. */
export const receiptFacts = (page: Page, view: View): readonly Fact[] => {
  const { words } = page;
  return [
    ...payeeFacts(page),
    ...amountFacts(page),
    view.paidAt !== null && {
      label: words.say('date'),
      value: html`<time datetime="${view.paidAt}">${formatDateTime(words.locale, view.paidAt)}</time>`,
    },
    {
      label: words.say(view.attempt.method === 'CARD' ? 'card' : 'paidWith'),
      value: paymentMethodName(page, view.attempt),
    },
    paymentIdFact(page, view),
  ];
};
