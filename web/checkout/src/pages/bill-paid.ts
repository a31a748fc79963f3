import type { CheckoutView } from '@florin/contract';
import { html } from '../html/html.ts';
import { formatDateTime, formatMoney } from '../language/format.ts';
import { factList, payeeFacts } from '../parts/amounts/summary-card.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, returnLink } from '../parts/note.ts';
import type { Page } from '../parts/page.ts';
import { support } from '../parts/support.ts';
import { emptyPageParts, type PageParts } from './page-parts.ts';

type View = Extract<CheckoutView, { page: 'BILL_PAID' }>;

/** For a payer who opens a split bill that others have paid. */
export const billPaid = (page: Page, view: View): PageParts => {
  const { words, summary } = page;
  const amount = formatMoney(words.locale, summary.amount);
  const facts = [
    { label: words.say('wholeBill'), value: html`<strong>${amount}</strong>` },
    ...payeeFacts(page),
    view.paidAt !== null && {
      label: words.say('date'),
      value: formatDateTime(words.locale, view.paidAt),
    },
  ];
  const main = html`
    <div class="single card">
      ${badge('good', icons.done)}
      ${heading(words.say('billPaidTitle'))}
      <p class="lead">
        ${words.say('billPaidText', { amount, payee: page.frame.merchantName })}
        ${words.say('nothingMore')}
      </p>
      ${factList(facts)}
      ${support(words, page.frame)}
      <div class="actions">${returnLink(page, 'button')}</div>
    </div>
  `;
  return { ...emptyPageParts, title: words.plain('billPaidTitle'), main };
};
