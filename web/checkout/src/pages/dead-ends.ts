import type { CheckoutView } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import { formatDateTime, formatMoney } from '../language/format.ts';
import { foldedFacts, paymentPanel } from '../parts/amounts/amount-panel.ts';
import { factList } from '../parts/amounts/fact-list.ts';
import { payeeFacts } from '../parts/amounts/summary-card.ts';
import { attemptNotice } from '../parts/attempt-notices.ts';
import { icons } from '../parts/icons.ts';
import { badge, heading, note, sentences } from '../parts/note.ts';
import { onward } from '../parts/onward.ts';
import { emptyPageParts, type Page, type PageParts } from '../parts/page.ts';

type DeadEnd = {
  readonly badge: Html;
  /** A message, with the merchant filled in. */
  readonly title:
    | 'noWayTitle'
    | 'suspendedTitle'
    | 'billPaidTitle'
    | 'paidBeforeTitle'
    | 'expiredTitle'
    | 'cancelledTitle';
  readonly lead: Html | readonly Html[];
  readonly notes?: Html | null;
  readonly about: Html | false;
  /** The lead has the amount. */
  readonly saysAmount?: boolean;
  /** The state may change: the page can be looked at again, and follows it. */
  readonly mayPass?: boolean;
};

/** Instead of a choice: the reason, and who can help. */
const deadEnd = (page: Page, end: DeadEnd): PageParts => {
  const { words, frame, addressOf } = page;
  const { title, mayPass = false, saysAmount = false } = end;
  const merchant = frame.merchantName;
  const again = html`<a class="quiet" href="${addressOf({})}">${words.say('checkAgain')}</a>`;
  const main = html`
    <div class="single card">
      ${end.badge}
      ${heading(words.say(title, { merchant }))}
      <p class="lead">${end.lead}</p>
      ${end.notes}
      ${onward(page, { other: mayPass && again })}
      ${end.about}
    </div>
  `;
  return {
    ...emptyPageParts,
    title: words.plain(title, { merchant }),
    main,
    hasAmount: !saysAmount,
    followsChanges: mayPass,
    hasContact: true,
  };
};

/** A part of a split bill may have been paid: then the page does not mention money. */
const nothingMoved = ({ words, summary }: Page): Html | null =>
  summary.splitsBill ? null : note('good', words.say('moneyNo'), null);

type NoWayView = Extract<CheckoutView, { page: 'NO_WAY_TO_PAY' }>;

export const noWayToPay = (page: Page, view: NoWayView): PageParts => {
  const { words } = page;
  const merchant = page.frame.merchantName;
  const why = words.say(view.takesOnlyCards ? 'noCardsText' : 'noWayText', { merchant });
  return deadEnd(page, {
    badge: badge('calm', icons.stopped),
    title: 'noWayTitle',
    lead: sentences(why, words.say('noWayNext', { merchant })),
    notes: html`
      ${attemptNotice(page, { ...view, unfinished: null })}
      ${view.lastFailure === null && nothingMoved(page)}
    `,
    about: paymentPanel(page),
    mayPass: true,
  });
};

type SuspendedView = Extract<CheckoutView, { page: 'SUSPENDED' }>;

/** The operator has stopped the merchant: why is not the payer's to know. */
export const suspended = (page: Page, view: SuspendedView): PageParts =>
  deadEnd(page, {
    badge: badge('calm', icons.stopped),
    title: 'suspendedTitle',
    lead: page.words.say('suspendedText', { merchant: page.frame.merchantName }),
    notes: view.isUnfinished ? null : nothingMoved(page),
    about: paymentPanel(page),
    mayPass: true,
  });

type BillPaidView = Extract<CheckoutView, { page: 'BILL_PAID' }>;

/** For a payer who opens a split bill that others have paid, and for a stranger to a payment. */
export const billPaid = (page: Page, view: BillPaidView): PageParts => {
  const { words, summary } = page;
  const paid = summary.splitsBill ? summary.amount : summary.totalAmount;
  const amount = formatMoney(words.locale, paid);
  const said = words.say('billPaidText', { amount, payee: page.frame.merchantName });
  const date = view.paidAt !== null && html`${formatDateTime(words.locale, view.paidAt)}`;
  return deadEnd(page, {
    badge: badge('good', icons.done),
    title: summary.splitsBill ? 'billPaidTitle' : 'paidBeforeTitle',
    lead: sentences(said, date),
    notes: summary.splitsBill ? null : paidBefore(page),
    saysAmount: true,
    about: summary.splitsBill && foldedFacts(page, payeeFacts(page)),
  });
};

/** The order that is paid, and where the payer has the receipt. */
const paidBefore = ({ words, summary }: Page): Html => html`
  ${factList([{ label: words.say('reference'), value: html`<bdi>${summary.reference}</bdi>` }])}
  <p>${words.say('paidBeforeReceipt')}</p>
`;

type EndedView = Extract<CheckoutView, { page: 'EXPIRED' | 'CANCELLED' }>;

export const ended = (page: Page, view: EndedView): PageParts => {
  const { words, frame, summary } = page;
  const merchant = frame.merchantName;
  const isExpired = view.page === 'EXPIRED';
  const { expiresAt } = summary;
  const time = html`<span class="said">${formatDateTime(words.locale, expiresAt)}</span>`;
  return deadEnd(page, {
    badge: badge('calm', isExpired ? icons.clock : icons.stopped),
    title: isExpired ? 'expiredTitle' : 'cancelledTitle',
    lead: isExpired
      ? sentences(words.say('expiredText', { time }), words.say('expiredNext', { merchant }))
      : sentences(words.say('cancelledBy', { merchant }), words.say('nothingToDo')),
    notes: nothingMoved(page),
    about: paymentPanel(page),
  });
};
