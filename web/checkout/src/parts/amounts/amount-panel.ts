import { type Html, html } from '../../html/html.ts';
import { formatMoney } from '../../language/format.ts';
import type { Page } from '../page.ts';
import { type Fact, factList } from './fact-list.ts';
import { payeeFacts } from './summary-card.ts';

type Panel = {
  readonly title: Html;
  readonly amount: Html | string;
  readonly facts: readonly Fact[];
  /** What the amount is, where the title does not say it. */
  readonly said?: Html;
  readonly more?: Html | null;
};

/** The amount in large figures, and below it what is paid. */
export const amountPanel = ({ title, amount, facts, said, more }: Panel): Html => html`
  <section class="receipt" aria-labelledby="panel">
    <div class="receipt-amount">
      <h2 id="panel">${title}</h2>
      <p>${said && html`<span class="unseen">${said}</span>`}<strong>${amount}</strong></p>
    </div>
    ${factList(facts)}
    ${more}
  </section>
`;

/** The same of a payment that is not made: for a page that shows no summary. */
export const paymentPanel = (
  page: Page,
  label: 'amountToPay' | 'amount' | 'wholeBill',
  more: readonly Fact[] = [],
): Html => {
  const { words, summary } = page;
  return amountPanel({
    title: words.say(label),
    amount: formatMoney(words.locale, summary.totalAmount),
    facts: [...payeeFacts(page), ...more],
  });
};
