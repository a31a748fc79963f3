import type { CheckoutView } from '@florin/contract';
import { html } from '../html/html.ts';
import { formatMoney } from '../language/format.ts';
import { factList, payeeFacts } from '../parts/amounts/summary-card.ts';
import { attemptNotices } from '../parts/attempt-notices.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, note, returnLink } from '../parts/note.ts';
import type { Page } from '../parts/page.ts';
import { support } from '../parts/support.ts';
import { emptyPageParts, type PageParts } from './page-parts.ts';

type View = Extract<CheckoutView, { page: 'NO_WAY_TO_PAY' }>;

/** Instead of an empty list: the reason, and who can help. */
export const noWayToPay = (page: Page, view: View): PageParts => {
  const { words, frame, summary, addressOf } = page;
  const merchant = frame.merchantName;
  const why = words.say(view.takesOnlyCards ? 'noCardsText' : 'noWayText', { merchant });
  const amount = html`<strong>${formatMoney(words.locale, summary.totalAmount)}</strong>`;
  const label = words.say(summary.splitsBill ? 'wholeBill' : 'amountToPay');
  const facts = [{ label, value: amount }, ...payeeFacts(page)];
  const hasNothingMoved = view.lastFailure === null && !summary.splitsBill;
  const main = html`
    <div class="single card">
      ${badge('calm', icons.stopped)}
      ${heading(words.say('noWayTitle'))}
      <p class="lead">${why} ${words.say('noWayNext', { merchant })}</p>
      ${attemptNotices(page, { ...view, unfinished: null })}
      ${hasNothingMoved && note('good', words.say('moneyNo'), null)}
      ${factList(facts)}
      ${support(words, frame)}
      <div class="actions">
        ${returnLink(page, 'button')}
        <a class="quiet" href="${addressOf({})}">${words.say('checkAgain')}</a>
      </div>
    </div>
  `;
  return { ...emptyPageParts, title: words.plain('noWayTitle'), main, followsChanges: true };
};
