import type { CheckoutView } from '@florin/contract';
import { html } from '../html/html.ts';
import { formatMoney } from '../language/format.ts';
import { factList, payeeFacts } from '../parts/amounts/summary-card.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, note, returnLink } from '../parts/note.ts';
import type { Page } from '../parts/page.ts';
import { support } from '../parts/support.ts';
import { emptyPageParts, type PageParts } from './page-parts.ts';

type View = Extract<CheckoutView, { page: 'SUSPENDED' }>;

/** The operator has stopped the merchant: why is not the payer's to know. */
export const suspended = (page: Page, view: View): PageParts => {
  const { words, frame, summary, addressOf } = page;
  const merchant = frame.merchantName;
  const amount = html`<strong>${formatMoney(words.locale, summary.totalAmount)}</strong>`;
  const label = words.say(summary.splitsBill ? 'wholeBill' : 'amountToPay');
  // Of a bill a part may be paid.
  const hasNothingMoved = !view.isUnfinished && !summary.splitsBill;
  const main = html`
    <div class="single card">
      ${badge('calm', icons.stopped)}
      ${heading(words.say('suspendedTitle', { merchant }))}
      <p class="lead">${words.say('suspendedText', { merchant })}</p>
      ${hasNothingMoved && note('good', words.say('moneyNo'), null)}
      ${factList([{ label, value: amount }, ...payeeFacts(page)])}
      ${support(words, frame)}
      <div class="actions">
        ${returnLink(page, 'button')}
        <a class="quiet" href="${addressOf({})}">${words.say('checkAgain')}</a>
      </div>
    </div>
  `;
  const title = words.plain('suspendedTitle', { merchant });
  return { ...emptyPageParts, title, main, followsChanges: true };
};
