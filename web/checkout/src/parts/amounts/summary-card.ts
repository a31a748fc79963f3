import { type Html, html } from '../../html/html.ts';
import { formatMoney } from '../../language/format.ts';
import type { Words } from '../../language/words.ts';
import { avatar, storeLine } from '../frame/page-header.ts';
import { icons } from '../icons.ts';
import { backArrow } from '../note.ts';
import type { Page } from '../page.ts';
import { timer } from '../timer.ts';
import { type Fact, factList } from './fact-list.ts';
import { foldedItems, foldedNote, isShort, openItems, openNote } from './line-items.ts';

/**
 * Payee, amount and time in one line on a narrow screen, with the details folded; on a wide one
 * everything is shown.
 */
export const summaryCard = (
  page: Page,
  more: Html | null,
  { value, below = null, isBill = false }: Headline = headline(page),
): Html => {
  const { words, frame } = page;
  const facts = [summedFacts(page), billFacts(page), statementFacts(page)]
    .filter((group) => group.some(Boolean))
    .map(factList);
  const where = storeLine(frame);
  return html`
    <section class="summary" aria-labelledby="summary">
      ${backArrow(page)}
      ${avatar(frame)}
      <h2 id="summary">${words.say('payMerchant', { merchant: frame.merchantName })}</h2>
      <p class="amount">${value}</p>
      ${below && html`<p class="below">${below}</p>`}
      ${isBill && html`<p class="below wide">${words.say('billAmount')}</p>`}
      <div class="time">${timer(page)}${more}</div>
      ${changeLink(page)}
      <details class="narrow">
        <summary>${words.say('details')}${icons.more}</summary>
        ${where !== '' && html`<p class="fine"><bdi>${where}</bdi></p>`}
        ${openItems(page)}
        ${facts}
        ${openNote(page)}
      </details>
      <div class="wide">
        ${where !== '' && html`<p class="fine"><bdi>${where}</bdi></p>`}
        ${isShort(page) ? openItems(page) : foldedItems(page)}
        ${facts}
        ${isShort(page) ? openNote(page) : foldedNote(page)}
      </div>
    </section>
  `;
};

const isolatedText = (text: string): Html => html`<bdi>${text}</bdi>`;

/** A figure that others change: the script renews it in place. */
export const liveText = (name: string, text: string): Html =>
  html`<span data-live="${name}">${text}</span>`;

/** Payee, reference and purpose: the same lines on the way in and on the receipt. */
export const payeeFacts = (page: Page): readonly Fact[] => [
  { label: page.words.say('payee'), value: isolatedText(page.frame.merchantName) },
  ...statementFacts(page),
];

/** The same where the payee is named above. */
export const statementFacts = (page: Page): readonly Fact[] => [
  nameAtBank(page),
  ...orderFacts(page),
];

const orderFacts = ({ words, summary }: Page): readonly Fact[] => [
  { label: words.say('reference'), value: isolatedText(summary.reference) },
  summary.orderId !== '' &&
    summary.orderId !== summary.reference && {
      label: words.say('order'),
      value: isolatedText(summary.orderId),
    },
  summary.notes !== null &&
    summary.notes !== '' && { label: words.say('note'), value: isolatedText(summary.notes) },
];

/** Payers look for it at their bank, before the press and on their statement. */
export const nameAtBank = (page: Page): Fact =>
  isAnotherName(page) && {
    label: page.words.say('bankShows'),
    value: isolatedText(page.summary.payeeName),
  };

const isAnotherName = ({ frame, summary }: Page): boolean =>
  summary.payeeName !== '' && plainName(summary.payeeName) !== plainName(frame.merchantName);

const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The amount with its parts, and the tip. Without a tip the amount stands above. */
const amountFacts = (page: Page): readonly Fact[] =>
  page.summary.tipAmount === null ? partFacts(page) : billAndTip(page);

/** Before a payment: with a tip they end with what is paid. */
const summedFacts = (page: Page): readonly Fact[] => {
  const { words, summary } = page;
  if (summary.tipAmount === null) return amountFacts(page);
  const value = formatMoney(words.locale, summary.totalAmount);
  return [...amountFacts(page), { label: words.say('total'), value, isTotal: true }];
};

/** The same where no amount stands above. */
export const allAmountFacts = (page: Page): readonly Fact[] =>
  amountFacts(page).some(Boolean) ? billAndTip(page) : [];

const billAndTip = (page: Page): readonly Fact[] => {
  const { words, summary } = page;
  return [
    {
      label: words.say(summary.splitsBill ? 'yourShare' : 'billAmount'),
      value: formatMoney(words.locale, summary.amount),
    },
    ...partFacts(page),
    summary.tipAmount !== null && {
      label: words.say('tip'),
      value: formatMoney(words.locale, summary.tipAmount),
    },
  ];
};

const partFacts = ({ words, summary }: Page): readonly Fact[] => [
  part(words, 'includedTax', summary.taxAmount),
  part(words, 'includedService', summary.serviceAmount),
];

const part = (
  words: Words,
  name: 'includedTax' | 'includedService',
  amount?: string | null,
): Fact => (amount ? { label: words.say(name), value: formatMoney(words.locale, amount) } : null);

/** The whole bill beside the share: its amount, and how much is paid. */
export const billFacts = (page: Page): readonly Fact[] => {
  const { words, summary } = page;
  const { split } = summary;
  if (!split) return [];
  const pounds = (name: 'paidAmount' | 'heldAmount' | 'leftAmount') =>
    liveText(name, formatMoney(words.locale, split[name]));
  return [
    { label: words.say('wholeBill'), value: formatMoney(words.locale, split.billAmount) },
    { label: words.say('alreadyPaid'), value: pounds('paidAmount') },
    Number(split.heldAmount) > 0 && { label: words.say('beingPaid'), value: pounds('heldAmount') },
    // Before a choice it is at the top, in large figures.
    summary.amount !== split.leftAmount && {
      label: words.say('leftToPay'),
      value: pounds('leftAmount'),
    },
  ];
};

const changeLink = ({ words, summary, addressOf }: Page): Html | null =>
  summary.canChangeAmount
    ? html`
      <p class="change">
        <a href="${addressOf({ step: 'amount', again: '1' })}">${words.say('changeAmount')}</a>
      </p>
    `
    : null;

type Headline = {
  readonly value: Html | string;
  readonly below?: Html | null;
  /** Before a tip it is the bill, and what opens below it is called so. */
  readonly isBill?: boolean;
};

const headline = ({ words, summary: { totalAmount, tipAmount } }: Page): Headline => ({
  value: formatMoney(words.locale, totalAmount),
  below:
    tipAmount === null
      ? null
      : words.say('includedTip', { amount: formatMoney(words.locale, tipAmount) }),
});
