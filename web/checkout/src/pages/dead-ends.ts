import type { CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatDateTime, formatMoney } from '../language/format.ts';
import { factList, payeeFacts } from '../parts/amounts/summary-card.ts';
import { attemptNotices } from '../parts/attempt-notices.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, note, returnLink } from '../parts/note.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';
import { support } from '../parts/support.ts';

type NoWayView = Extract<CheckoutView, { page: 'NO_WAY_TO_PAY' }>;

/** Instead of an empty list: the reason, and who can help. */
export const noWayToPay = (page: Page, view: NoWayView): PageParts => {
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

type SuspendedView = Extract<CheckoutView, { page: 'SUSPENDED' }>;

/** The operator has stopped the merchant: why is not the payer's to know. */
export const suspended = (page: Page, view: SuspendedView): PageParts => {
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

type BillPaidView = Extract<CheckoutView, { page: 'BILL_PAID' }>;

/** For a payer who opens a split bill that others have paid. */
export const billPaid = (page: Page, view: BillPaidView): PageParts => {
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

type EndedView = Extract<CheckoutView, { page: 'EXPIRED' | 'CANCELLED' }>;

export const ended = (page: Page, view: EndedView): PageParts => {
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
