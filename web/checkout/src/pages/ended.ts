import type { CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatDateTime, formatMoney } from '../language/format.ts';
import { factList, payeeFacts } from '../parts/amounts/summary-card.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, note, returnLink } from '../parts/note.ts';
import type { Page } from '../parts/page.ts';
import { support } from '../parts/support.ts';
import { emptyPageParts, type PageParts } from './page-parts.ts';

type View = Extract<CheckoutView, { page: 'EXPIRED' | 'CANCELLED' }>;

export const ended = (page: Page, view: View): PageParts => {
  const { words, frame, summary } = page;
  const merchant = frame.merchantName;
  const isExpired = view.page === 'EXPIRED';
  const title = isExpired ? 'expiredTitle' : 'cancelledTitle';
  const time = formatDateTime(words.locale, summary.expiresAt);
  const text = isExpired
    ? html`${words.say('expiredText', { time })} ${words.say('expiredNext', { merchant })}`
    : words.say('cancelledText', { merchant });
  const main = html`
    <div class="single card">
      ${badge('calm', isExpired ? icons.clock : icons.stopped)}
      ${heading(words.say(title))}
      <p class="lead">${text}</p>
      ${nothingMoved(page)}
      ${facts(page)}
      ${support(words, frame)}
      <div class="actions">${returnLink(page, 'button')}</div>
    </div>
  `;
  return { ...emptyPageParts, title: words.plain(title), main };
};

/** A part of a split bill may have been paid: then the page does not mention money. */
const nothingMoved = ({ words, summary }: Page): Html | null =>
  summary.splitsBill ? null : note('good', words.say('moneyNo'), null);

const facts = (page: Page): Html =>
  factList([
    {
      label: page.words.say('amountToPay'),
      value: html`<strong>${formatMoney(page.words.locale, page.summary.totalAmount)}</strong>`,
    },
    ...payeeFacts(page),
  ]);
