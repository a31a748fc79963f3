import { type Html, html } from '../../html/html.ts';
import { formatMoney } from '../../language/format.ts';
import type { Words } from '../../language/words.ts';
import { avatar, storeLine } from '../frame/page-header.ts';
import { icons } from '../icons.ts';
import type { Page } from '../page.ts';
import { timer } from '../timer.ts';
import { type Fact, factList } from './fact-list.ts';
import { foldedItems, openItems } from './line-items.ts';

/**
 * Payee, amount and time in one line on a narrow screen, with the details folded; on a wide one
 * everything is shown.
 */
export const summaryCard = (page: Page, { label, value }: Headline = headline(page)): Html => {
  const { words, frame } = page;
  const facts = factList([...orderFacts(page), ...amountFacts(page), ...billFacts(page)]);
  const where = storeLine(frame);
  return html`
    <section class="card summary" aria-labelledby="summary">
      ${avatar(frame)}
      <div class="summary-payee">
        <h2 id="summary">${words.say('payMerchant', { merchant: frame.merchantName })}</h2>
        ${timer(page)}
      </div>
      <p class="amount">${label !== null && html`<span>${label}</span>`}${value}</p>
      <details class="narrow">
        <summary>${words.say('details')}${icons.more}</summary>
        ${shownByBank(page)}
        ${where !== '' && html`<p class="fine"><bdi>${where}</bdi></p>`}
        ${facts}
        ${openItems(page)}
      </details>
      ${changeLink(page)}
      <div class="wide">${shownByBank(page)}${facts}${foldedItems(page)}</div>
    </section>
  `;
};

const isolatedText = (text: string): Html => html`<bdi>${text}</bdi>`;

/** A figure that others change: the script renews it in place. */
export const liveText = (name: string, text: string): Html =>
  html`<span data-live="${name}">${text}</span>`;

/** Payee, reference and purpose: the same lines on the way in and on the receipt. */
export const payeeFacts = (page: Page): readonly Fact[] => {
  const { words, frame, summary } = page;
  return [
    { label: words.say('payee'), value: isolatedText(frame.merchantName) },
    isAnotherName(page) && {
      label: words.say(isTest(page) ? 'testAccount' : 'bankShows'),
      value: isolatedText(summary.payeeName),
    },
    ...orderFacts(page),
  ];
};

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

/** Payers look for a name on their statement: the creditor's, where it is not the merchant's. */
export const shownByBank = (page: Page): Html | null =>
  isAnotherName(page)
    ? html`
      <small class="shown-as">
        ${page.words.say(isTest(page) ? 'bankWillShowTest' : 'bankWillShow', {
          payee: page.summary.payeeName,
        })}
      </small>
    `
    : null;

/** A test is paid to an account with a name of its own. */
const isTest = ({ frame }: Page): boolean => frame.environment === 'SANDBOX';

const isAnotherName = ({ frame, summary }: Page): boolean =>
  summary.payeeName !== '' && plainName(summary.payeeName) !== plainName(frame.merchantName);

const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The amount with its parts, and the tip. */
export const amountFacts = (page: Page): readonly Fact[] => {
  const { words, summary } = page;
  if (summary.tipAmount === null) return partFacts(page);
  return [
    {
      label: words.say(summary.splitsBill ? 'yourShare' : 'billAmount'),
      value: formatMoney(words.locale, summary.amount),
    },
    ...partFacts(page),
    { label: words.say('tip'), value: formatMoney(words.locale, summary.tipAmount) },
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
const billFacts = (page: Page): readonly Fact[] => {
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

type Headline = { readonly label: Html | null; readonly value: Html | string };

const headline = ({ words, summary }: Page): Headline => ({
  label: null,
  value: formatMoney(words.locale, summary.totalAmount),
});
