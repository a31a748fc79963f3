import type { CheckoutView } from '@florin/contract';
import { html } from '../html.ts';
import { moment, money } from '../language/format.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, returnLink } from '../parts/notes.ts';
import type { Page } from '../parts/page.ts';
import { factList, payeeFacts } from '../parts/summary-card.ts';
import { type PageParts, still } from './page-parts.ts';

type View = Extract<CheckoutView, { page: 'BILL_PAID' }>;

/** For whoever opens the link of a split bill that others have paid. */
export const billPaid = (page: Page, view: View): PageParts => {
  const { words, summary } = page;
  const amount = money(words.locale, summary.amount);
  const facts = [
    { label: words.say('wholeBill'), value: html`<strong>${amount}</strong>` },
    ...payeeFacts(page),
    view.paidAt !== null && { label: words.say('date'), value: moment(words.locale, view.paidAt) },
  ];
  const main = html`
    <div class="single card">
      ${badge('good', icons.done)}
      ${heading(words.say('billPaidTitle'))}
      <p class="lead">
        ${words.say('billPaidText', { amount, payee: summary.payeeName })}
        ${words.say('nothingMore')}
      </p>
      ${factList(facts)}
      <div class="actions">${returnLink(page, 'button')}</div>
    </div>
  `;
  return { ...still, title: words.plain('billPaidTitle'), main };
};
