import type { CheckoutAttempt, CheckoutCard, CheckoutCardOffer } from '@florin/contract';
import { type Html, html } from '../html/html.ts';
import type { Words } from '../language/words.ts';
import { cardMarks } from './card-marks.ts';
import { icons } from './icons.ts';
import type { Page } from './page.ts';

/** Brand and last four digits as text: no logo is drawn, and no reader spells out dots. */
export const cardName = ({ words }: Page, { brand, lastFourDigits }: CheckoutCard): Html =>
  html`
    <bdi dir="${brand === '' ? 'auto' : 'ltr'}">
      ${brand === '' ? words.say('card') : brand}
      ${' '}
      <span class="card-digits" aria-hidden="true">•••• ${lastFourDigits}</span>
    </bdi>
    <span class="unseen">${words.say('endingIn', { digits: lastFourDigits })}</span>
  `;

/** Below its digits, which are read aloud alone. */
export const brandName = ({ words }: Page, { brand, lastFourDigits }: CheckoutCard): Html => html`
  <bdi>${brand === '' ? words.say('card') : brand}</bdi>
  <span class="unseen">${words.say('endingIn', { digits: lastFourDigits })}</span>
`;

/** The same in words, as a receipt has it. */
const cardInWords = ({ words }: Page, { brand, lastFourDigits: digits }: CheckoutCard): Html =>
  html`<bdi>${brand === '' ? words.say('card') : brand}</bdi> ${words.say('endingIn', { digits })}`;

/** What a receipt says of how it was paid. */
export const paidWith = (page: Page, { method, bankName, card }: CheckoutAttempt): Html => {
  const { words } = page;
  if (method !== 'CARD') return html`${words.say('bankTransfer')} · <bdi>${bankName}</bdi>`;
  return card ? cardInWords(page, card) : words.say('card');
};

/** The method of an attempt: its bank or its card. */
export const paymentMethodName = (
  page: Page,
  { method, bankName, card }: CheckoutAttempt,
): Html => {
  if (method !== 'CARD') return html`<bdi>${bankName}</bdi>`;
  return card ? cardName(page, card) : page.words.say('card');
};

export const bankWay = (words: Words): Html =>
  html`${icons.bank}<span>${words.say('payByBank')}</span>`;

/**
 * By bank or by card: each is an address, and nothing is started by looking. `leave` stands for the way
 * by bank where an open card page is to be closed first.
 */
export const methodTabs = (
  { words, addressOf }: Page,
  current: 'BANK' | 'CARD',
  offer: CheckoutCardOffer,
  leave: Html | null = null,
): Html => {
  const way = (name: 'BANK' | 'CARD', label: Html, address: string): Html =>
    html`
      <a href="${address}"${name === current && html` aria-current="page"`}>${label}</a>
    `;
  // Where the card is typed its brands stand in the field.
  const marks = current === 'BANK' && cardMarks(offer);
  const byCard = html`${icons.once}<span>${words.say('payByCard')}</span>${marks}`;
  return html`
    <nav class="ways" aria-label="${words.plain('wayToPay')}">
      ${leave ?? way('BANK', bankWay(words), addressOf({ again: '1' }))}
      ${way('CARD', byCard, addressOf({ way: 'card', again: '1' }))}
    </nav>
  `;
};
